import { z } from 'zod';
import type { IdentifyOptions } from '../bootstrap/identify-operator.js';
import { asOperator } from '../bootstrap/operator.js';
import { loadConfig } from '../shared/config.js';
import { ApiError, maxDetails } from '../shared/errors.js';
import { createLog } from '../shared/log.js';
import type { GraphResult } from '../shared/subgraph/executor.js';
import type { Variables } from '../shared/subgraph/variables.js';
import { lineOfDetail } from './line-of-detail.js';

const detailsForm = z.array(z.object({ path: z.string(), message: z.string() })).optional();

interface OperateOptions extends IdentifyOptions {
  /** What the operator types for an argument, by its name, where that differs from other commands. */
  readonly typed?: Readonly<Record<string, string>>;
}

/** An operation that the graph refused; the message has one line per reason. */
export class Refusal extends Error {}

/** Runs an operation and returns its data, parsed by a schema. @throws {Refusal} with every error */
export type Ask = <T>(document: string, variables: Variables, form: z.ZodType<T>) => Promise<T>;

/**
 * Runs an operation as the operator and prints the outcome: a sentence on standard output, or every error on
 * standard error.
 * @param said makes the sentence from the data of the result
 * @returns the exit code: 0 done, 1 refused
 */
export function operate<T>(
  document: string,
  variables: Variables,
  form: z.ZodType<T>,
  said: (data: T) => string,
  options: OperateOptions = {},
): Promise<number> {
  return operateWith(async (ask) => said(await ask(document, variables, form)), options);
}

/** Does the same as `operate` for work of several operations; the work returns the sentence. */
export async function operateWith(work: (ask: Ask) => Promise<string>, options: OperateOptions = {}): Promise<number> {
  const config = loadConfig();
  try {
    const said = await asOperator(
      config,
      createLog(config.logLevel, process.stderr),
      (run) =>
        work(async (document, variables, form) => form.parse(dataOf(await run(document, variables), options.typed))),
      options,
    );
    process.stdout.write(`${said}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof ApiError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

function dataOf({ data, errors = [] }: GraphResult, typed?: OperateOptions['typed']): unknown {
  if (errors.length === 0) return data;
  const lines = errors.flatMap(({ message, extensions }) => {
    const details = detailsForm.parse(extensions['details']) ?? [];
    const lines = details.map((detail) => lineOfDetail(detail, typed));
    // Where not all details are listed, only the message gives their total number.
    return details.length === 0 || details.length === maxDetails ? [...lines, message] : lines;
  });
  throw new Refusal(lines.join('\n'));
}

/** Formats the data of an operation: as a sentence or, with `--json`, its first field as JSON. */
export function shown<T extends object>(
  { json }: { readonly json?: boolean },
  sentence: (data: T) => string,
): (data: T) => string {
  return json === true ? (data) => JSON.stringify(Object.values(data)[0], null, 2) : sentence;
}
