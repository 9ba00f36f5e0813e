// SPDX-License-Identifier: Apache-2.0

// Package tap prints what the OCI suite's programs find, as the Test Anything Protocol: it has the
// calls that they make of a library which Debian does not have.
package tap

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
)

// T counts the tests of one program.
type T struct {
	Writer io.Writer
	lock   *sync.Mutex
	n      *int
	todo   bool
}

// New begins at test 1.
func New() *T {
	return &T{Writer: os.Stdout, lock: new(sync.Mutex), n: new(int)}
}

// Header says which version of the protocol follows, and how many tests if that is known.
func (t *T) Header(n int) {
	fmt.Fprintln(t.Writer, "TAP version 13")
	if n > 0 {
		fmt.Fprintf(t.Writer, "1..%d\n", n)
	}
}

// AutoPlan says how many tests there were.
func (t *T) AutoPlan() {
	fmt.Fprintf(t.Writer, "1..%d\n", *t.n)
}

func (t *T) line(ok bool, what, directive string) {
	t.lock.Lock()
	defer t.lock.Unlock()
	*t.n++
	word := "ok"
	if !ok {
		word = "not ok"
	}
	if t.todo && directive == "" {
		directive = " # TODO"
	}
	fmt.Fprintf(t.Writer, "%s %d - %s%s\n", word, *t.n, strings.ReplaceAll(what, "\n", " "), directive)
}

// Ok is one test.
func (t *T) Ok(ok bool, what string) {
	t.line(ok, what, "")
}

// Pass is one test that passed.
func (t *T) Pass(what string) {
	t.line(true, what, "")
}

// Fail is one test that failed.
func (t *T) Fail(what string) {
	t.line(false, what, "")
}

// Skip is a number of tests that cannot be made here.
func (t *T) Skip(n int, why string) {
	for ; n > 0; n-- {
		t.line(true, "", "# SKIP "+why)
	}
}

// Todo gives a counter whose failures are known to the suite.
func (t *T) Todo() *T {
	return &T{Writer: t.Writer, lock: t.lock, n: t.n, todo: true}
}

// Diagnostic is a comment.
func (t *T) Diagnostic(text string) {
	fmt.Fprintf(t.Writer, "# %s\n", strings.ReplaceAll(text, "\n", "\n# "))
}

// Diagnosticf is a comment, too.
func (t *T) Diagnosticf(format string, args ...interface{}) {
	t.Diagnostic(fmt.Sprintf(format, args...))
}

// YAML is a document that belongs to the last test; JSON is YAML.
func (t *T) YAML(value interface{}) error {
	text, err := json.MarshalIndent(value, "  ", "  ")
	if err == nil {
		fmt.Fprintf(t.Writer, "  ---\n  %s\n  ...\n", text)
	}
	return err
}
