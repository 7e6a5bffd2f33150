import { z } from 'zod';
import { runAsOperator } from '../house/operator.js';
import { loadConfig } from '../shared/config.js';
import { createLog } from '../shared/log.js';
import type { Variables } from '../shared/subgraph/variables.js';

const detailsForm = z.array(z.object({ path: z.string(), message: z.string() })).optional();

/**
 * Runs an operation of the operator, and prints what became of it: a sentence on standard output, or every fault on
 * standard error.
 * @param said the sentence, from the data of the answer
 * @returns the exit code: 0 done, 1 refused
 */
export async function operate<T>(
  document: string,
  variables: Variables,
  form: z.ZodType<T>,
  said: (data: T) => string,
): Promise<number> {
  const config = loadConfig();
  const { data, errors = [] } = await runAsOperator(
    config,
    createLog(config.logLevel, process.stderr),
    document,
    variables,
  );
  if (errors.length === 0) {
    process.stdout.write(`${said(form.parse(data))}\n`);
    return 0;
  }
  for (const { message, extensions } of errors) {
    const details = detailsForm.parse(extensions['details']) ?? [];
    const lines = details.length === 0 ? [message] : details.map((detail) => `${detail.path} ${detail.message}`);
    process.stderr.write(`${lines.join('\n')}\n`);
  }
  return 1;
}

/** Prints how a command is used, and answers the exit code of wrong use. */
export function misused(usage: string): number {
  process.stderr.write(`${usage}\n`);
  return 2;
}
