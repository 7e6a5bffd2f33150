/** A command of the command line. It prints for people, and answers the exit code. */
export interface Command {
  /** The whole help text, printed by `lastro <name> --help`. */
  readonly usage: string;
  run(args: readonly string[]): Promise<number>;
}
