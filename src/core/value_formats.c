// SPDX-License-Identifier: Apache-2.0
/* The format tables in their order, and the tokens that are known by a mark inside. */
#include "value_formats_tables.h"
#include "../base/banned.h"

const struct value_table *const value_tables[VALUE_TABLES] = {
	&value_formats_a, &value_formats_b, &value_formats_c,
	&value_formats_d, &value_formats_e, &value_formats_f,
};

#define B VALUE_SECOND

// clang-format off
const uint64_t value_seconds[VALUE_FIRSTS] = {
	['$'] = B('a'),
	['0'] = B('.') | B('0') | B('x'),
	['1'] = B('/') | B('0') | B('1'),
	['2'] = B(' ') | B('/'),
	['4'] = B('b'),
	['5'] = B('A'),
	['A'] = B('3') | B('A') | B('B') | B('C') | B('G') | B('I') | B('K') | B('L') | B('P') |
		B('Q') | B('S') | B('T') | B('V') | B('g') | B('s') | B('t'),
	['B'] = B('B') | B('S'),
	['C'] = B('A') | B('C') | B('F') | B('G') | B('L'),
	['D'] = B('D') | B('O'),
	['E'] = B('A') | B('S') | B('X') | B('Z'),
	['F'] = B('L') | B('Q') | B('w'),
	['G'] = B('K') | B('O') | B('R'),
	['H'] = B('R'),
	['I'] = B('G') | B('Q'),
	['J'] = B('D'),
	['K'] = B('0') | B('1') | B('E'),
	['L'] = B('I') | B('T'),
	['M'] = B(' ') | B('L') | B('i'),
	['N'] = B(' ') | B('F') | B('R'),
	['O'] = B(' '),
	['P'] = B('M') | B('R') | B('V'),
	['R'] = B('G') | B('W') | B('_'),
	['S'] = B(' ') | B('A') | B('B') | B('C') | B('G') | B('K') | B('O') | B('T') | B('U') |
		B('W'),
	['T'] = B('E'),
	['V'] = B('F'),
	['Y'] = B('C'),
	['_'] = B('g'),
	['a'] = B('c') | B('i') | B('k') | B('m') | B('p') | B('s') | B('t'),
	['b'] = B('.') | B('_') | B('a') | B('b') | B('c') | B('e') | B('k') | B('u'),
	['c'] = B('a') | B('f') | B('h') | B('i') | B('k') | B('m') | B('n') | B('o') | B('p') |
		B('r') | B('s') | B('t') | B('u') | B('x'),
	['d'] = B('G') | B('a') | B('b') | B('c') | B('d') | B('e') | B('k') | B('n') | B('o') |
		B('p') | B('t') | B('u') | B('v'),
	['e'] = B('2') | B('d') | B('n') | B('s') | B('y'),
	['f'] = B('c') | B('h') | B('i') | B('l') | B('m') | B('o') | B('w'),
	['g'] = B('c') | B('h') | B('i') | B('l') | B('s'),
	['h'] = B('a') | B('b') | B('c') | B('f') | B('s') | B('v'),
	['i'] = B('c') | B('o'),
	['j'] = B('i'),
	['k'] = B('_') | B('e') | B('u'),
	['l'] = B('i') | B('l') | B('m') | B('s'),
	['m'] = B('0') | B('d') | B('e') | B('l'),
	['n'] = B('8') | B('a') | B('b') | B('f') | B('p') | B('s') | B('t') | B('v') | B('y'),
	['o'] = B('.') | B('a') | B('d') | B('l') | B('p') | B('r') | B('s') | B('v') | B('y'),
	['p'] = B('.') | B('8') | B('a') | B('c') | B('d') | B('e') | B('h') | B('i') | B('k') |
		B('n') | B('o') | B('p') | B('r') | B('s') | B('t') | B('u') | B('y'),
	['r'] = B('8') | B('a') | B('c') | B('d') | B('e') | B('k') | B('n') | B('o') | B('p') |
		B('u') | B('z'),
	['s'] = B('-') | B('.') | B('a') | B('b') | B('c') | B('d') | B('e') | B('g') | B('h') |
		B('i') | B('k') | B('l') | B('m') | B('n') | B('q') | B('t') | B('y'),
	['t'] = B('1') | B('e') | B('f') | B('g') | B('k') | B('n') | B('o') | B('p') | B('r') |
		B('s') | B('v'),
	['u'] = B('c') | B('n') | B('p'),
	['v'] = B('1') | B('c') | B('e') | B('k') | B('t'),
	['w'] = B('a') | B('e') | B('h') | B('r'),
	['x'] = B('a') | B('k') | B('n') | B('o') | B('p') | B('s') | B('w'),
	['y'] = B('0') | B('a') | B('d') | B('p'),
	['z'] = B('p'),
};
// clang-format on

#define S(class, min, max, mark, shape, name, why)                   \
	{                                                            \
		class, min, max, mark, shape, "env-value:" name, why \
	}

// clang-format off
const struct value_signature value_signatures[] = {
	S('w', 20, 200, "T3BlbkFJ", "w20~200", "openai", "an OpenAI API key"),

	/* Keys of Azure name their service in the middle. 64 bytes in base64: */
	S('B', 70, 80, "+ASt", "B4~8q2", "azure-storage", "an Azure storage account key"),
	S('B', 70, 80, "ACDb", "B4~8q2", "azure-cosmos", "an Azure Cosmos DB key"),
	S('B', 70, 80, "+ABa", "B4~8q2", "azure-batch", "an Azure Batch key"),
	S('B', 70, 80, "APIM", "B4~8q2", "azure-apim", "an Azure API Management key"),
	S('B', 70, 80, "+AMC", "B4~8q2", "azure-ml", "an Azure Machine Learning key"),

	/* 32 bytes in base64: */
	S('B', 31, 35, "+ASb", "B4~8q1", "azure-servicebus", "an Azure Service Bus key"),
	S('B', 31, 35, "+AEh", "B4~8q1", "azure-eventhub", "an Azure Event Hubs key"),
	S('B', 31, 35, "+ARm", "B4~8q1", "azure-relay", "an Azure Relay key"),
	S('B', 31, 35, "AIoT", "B4~8q1", "azure-iot", "an Azure IoT key"),
	S('B', 31, 35, "AZEG", "B4~8q1", "azure-eventgrid", "an Azure Event Grid key"),
	S('B', 31, 35, "AzCa", "B4~8q1", "azure-redis", "an Azure Cache for Redis key"),

	/* And others: */
	S('B', 40, 44, "+ACR", "B4~8", "azure-registry", "an Azure container registry key"),
	S('b', 40, 44, "AzSe", "b4~8", "azure-search", "an Azure AI Search key"),
	S('w', 40, 46, "AzFu", "w4~8q2", "azure-functions", "an Azure Functions key"),
	S('b', 74, 78, "AZDO", "b4", "azure-devops", "an Azure DevOps personal access token"),
	S('b', 48, 56, "JQQJ99", "b24~30", "azure-ai", "an Azure AI services key"),
	S('z', 4, 4, "Q~", "z31~34", "azure-ad", "a Microsoft Entra client secret"),

	S('b', 14, 14, ".atlasv1.", "w60~72", "terraform", "an HCP Terraform token"),
	S('b', 30, 37, "NRAL", "", "newrelic-licence", "a New Relic licence key"),
	S('v', 36, 36, "_mmk", "", "maxmind", "a MaxMind licence key"),
	S('w', 7, 20, ":APA91b", "w60~200", "fcm", "a Firebase Cloud Messaging key"),
	S('x', 32, 32, "-us", "d1~2", "mailchimp", "a Mailchimp API key"),
	S('d', 8, 10, ":AA", "w32~34", "telegram", "a Telegram bot token"),
	S('d', 13, 17, "|", "w26~40", "facebook-app", "a Facebook app access token"),
	S('b', 11, 11, "AAAAAAAAAA", "w43", "dropbox", "a Dropbox access token"),
	S('B', 22, 22, "==:", "b32", "tableau", "a Tableau personal access token"),
	S('d', 1, 6, "|", "b40~48", "laravel-sanctum", "a Laravel Sanctum token"),
	S('x', 32, 32, ".", "b16", "zhipu", "a Zhipu AI API key"),
	S('w', 36, 36, ":fx", "", "deepl", "a DeepL API key"),
};
// clang-format on

const size_t value_signature_count = sizeof value_signatures / sizeof *value_signatures;
