/** A command of the program's own. It prints readable text and returns the exit code: 0 done, 1 refused or failed, 2 wrong use. */
export interface Command {
  readonly usage: string;
  run(args: readonly string[]): Promise<number>;
}

export function misused({ usage }: Command, reason?: string): number {
  process.stderr.write(`${reason === undefined ? '' : `${reason}\n\n`}${usage}\n`);
  return 2;
}
