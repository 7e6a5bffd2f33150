import { z } from 'zod';
import type { RunOperation } from '../bootstrap/operator.js';
import type { OperatorField, OperatorFields } from '../bootstrap/operator-field.js';
import { loadConfig } from '../shared/kernel/config.js';
import { maxDetails } from '../shared/kernel/errors.js';
import { isRecord } from '../shared/kernel/is-record.js';
import type { GraphResult } from '../shared/graphql/executor.js';
import type { Variables } from '../shared/graphql/variables.js';
import { namedOf, readArguments } from './arguments.js';
import { describeField } from './help.js';
import { formatResult, printed } from './print.js';

/** Runs a query or mutation as the operator and prints its result. Returns the exit code: 0 done, 1 refused, with every error on standard error, 2 wrong use. */
export async function call(field: OperatorField, described: OperatorFields, args: readonly string[]): Promise<number> {
  const given = await readArguments(field, described, args);
  if (given.errors.length > 0) {
    process.stderr.write(`${given.errors.join('\n')}\n\n${describeField(field, described)}\n`);
    return 2;
  }
  // Help and wrong use need nothing of what connects.
  const { commandLog, refused } = await import('./acting.js');
  const { onSubgraph } = await import('../bootstrap/operator.js');
  const config = loadConfig();
  const work = (run: RunOperation) => runPages(field, described, given, run);
  const options = { bootstraps: field.name === 'addOperator' };
  return onSubgraph(config, commandLog(config), field.subgraph, work, options).catch(refused);
}

const pageForm = z.object({
  pageInfo: z.object({ endCursor: z.string().nullable(), hasNextPage: z.boolean() }),
});

async function runPages(
  field: OperatorField,
  described: OperatorFields,
  { variables, json, all }: Awaited<ReturnType<typeof readArguments>>,
  run: RunOperation,
): Promise<number> {
  for (let at: Variables = variables; ;) {
    const { data, errors = [] } = await run(documentOf(field, at), at);
    if (errors.length > 0)
      process.stderr.write(`${errors.flatMap((error) => linesOf(error, field, described)).join('\n')}\n`);
    const value = data?.[field.name];
    // An error below the result of a mutation does not mean that it was refused.
    if (errors.length > 0 && value == null) return 1;
    const next = field.hasPages ? pageForm.parse(value).pageInfo : undefined;
    const cursor = next?.hasNextPage === true ? next.endCursor : null;
    await printed(json ? formatJson(value, all) : formatPage(value, field, all ? null : cursor));
    if (!all || cursor === null) return 0;
    at = { ...at, after: cursor };
  }
}

function formatJson(value: unknown, all: boolean): string {
  return all
    ? itemsOf(value)
        .map((item) => `${JSON.stringify(item)}\n`)
        .join('')
    : `${JSON.stringify(value, null, 2)}\n`;
}

function formatPage(value: unknown, { hasPages }: OperatorField, cursor: string | null): string {
  const more = cursor === null ? '' : `\nThere are more: --after ${cursor}, or --all\n`;
  return `${formatResult(hasPages ? itemsOf(value) : value)}\n${more}`;
}

const itemsOf = (value: unknown): readonly unknown[] =>
  isRecord(value) && Array.isArray(value['nodes']) ? value['nodes'] : [];

function documentOf(field: OperatorField, variables: Variables): string {
  const given = field.arguments.filter(({ name }) => variables[name] !== undefined);
  const inBrackets = (items: readonly string[]) => (items.length === 0 ? '' : `(${items.join(', ')})`);
  const declared = inBrackets(given.map(({ name, type }) => `$${name}: ${type}`));
  const passed = inBrackets(given.map(({ name }) => `${name}: $${name}`));
  return `${field.kind} ${declared} { ${field.name}${passed} ${field.selection} }`;
}

const detailsForm = z.array(z.object({ path: z.string(), message: z.string() })).optional();

/** Returns a line for each detail of an error; an argument is named as it is typed. */
function linesOf(
  { message, extensions }: NonNullable<GraphResult['errors']>[number],
  field: OperatorField,
  described: OperatorFields,
): string[] {
  const details = detailsForm.parse(extensions['details']) ?? [];
  const lines = details.map(({ path, message: text }) => `${flagOf(path, field, described)} ${text}`);
  // Where not all details are listed, only the message gives their total number.
  return lines.length === 0 || lines.length === maxDetails ? [...lines, message] : lines;
}

/** Returns the argument to which the path of an error leads, which may begin within an input object; otherwise the path. */
function flagOf(path: string, field: OperatorField, { inputs }: OperatorFields): string {
  const head = /^\w*/.exec(path)?.[0];
  if (field.arguments.some(({ name }) => name === head)) return `--${path}`;
  const above = field.arguments.find(({ type }) => inputs[namedOf(type)]?.some(({ name }) => name === head));
  return above === undefined ? path : `--${above.name}.${path}`;
}
