import type { OperatorField, OperatorFields, OperatorInput } from '../bootstrap/operator-field.js';
import { itemOf, isRequired, namedOf } from './arguments.js';

/** Lists the queries and mutations, by subgraph, each with the first sentence of its description. */
export function listFields({ fields }: OperatorFields): string[] {
  const all = Object.values(fields);
  const width = Math.max(...all.map(({ name }) => name.length));
  return [...new Set(all.map(({ subgraph }) => subgraph))].flatMap((subgraph) => [
    '',
    `${subgraph}:`,
    ...all
      .filter((field) => field.subgraph === subgraph)
      .map(({ name, description }) => `  ${name.padEnd(width)}  ${firstSentence(description)}`),
  ]);
}

function firstSentence(text: string): string {
  const [sentence = ''] = text.replace(/\s+/g, ' ').split(/(?<=\.) /, 1);
  return sentence.length > 110 ? `${sentence.slice(0, 109)}…` : sentence;
}

/** Returns the help of a query or mutation: what it does, and each argument with its type and values. */
export function describeField(field: OperatorField, described: OperatorFields): string {
  const { name, kind, role, description, hasPages } = field;
  const rows = field.arguments.flatMap((argument) => rowsOf(argument, '--', described));
  const width = Math.max(0, ...rows.map(([flag]) => flag.length));
  const who = role === undefined ? kind : `${kind}, role ${role}`;
  return [
    `Usage: npm run lastro -- ${name}${field.arguments.map(usageOf).join('')}`,
    '',
    `${description} (${who})`,
    '',
    ...rows.map(([flag, text]) => `  ${flag.padEnd(width)}  ${text}`),
    ...(hasPages ? [`  ${'--all'.padEnd(width)}  reads all pages; with --json each item is a line`] : []),
    `  ${'--json'.padEnd(width)}  prints the result as JSON`,
    `  ${'--input'.padEnd(width)}  a JSON file with arguments, or - for standard input; the other arguments go before it`,
    '',
    'A list repeats its argument. null is no value. @file is what the file contains, and @- what standard input contains.',
  ].join('\n');
}

function usageOf(argument: OperatorInput): string {
  const text = `--${argument.name} <${namedOf(argument.type)}>${itemOf(argument.type) === undefined ? '' : '…'}`;
  return isRequired(argument) ? ` ${text}` : ` [${text}]`;
}

function rowsOf(input: OperatorInput, prefix: string, described: OperatorFields): [string, string][] {
  const flag = `${prefix}${input.name}`;
  const values = described.enums[namedOf(input.type)];
  const standard = input.byDefault === undefined ? '' : ` (default ${input.byDefault})`;
  const what = input.description.replace(/\s+/g, ' ').replace(/\.?$/, '.');
  const text = `${input.type}${standard}  ${what}${values === undefined ? '' : ` One of ${values.join(', ')}`}`;
  const fields = described.inputs[namedOf(input.type)] ?? [];
  // A list of objects is given as JSON: its fields are listed below it.
  const below = itemOf(input.type) === undefined ? `${flag}.` : `${' '.repeat(flag.length)}.`;
  return [[flag, text], ...fields.flatMap((field) => rowsOf(field, below, described))];
}
