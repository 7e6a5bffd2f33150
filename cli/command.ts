/** A command of the command line. It prints readable text and returns the exit code. */
export interface Command {
  /** The full help text, printed by `lastro <name> --help`. */
  readonly usage: string;
  run(args: readonly string[]): Promise<number>;
}
