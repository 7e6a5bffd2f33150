/** A command of the command line. It prints for people, and answers the exit code. */
export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** The whole help text, printed by `lastro <name> --help`. */
  readonly usage: string;
  run(args: readonly string[]): Promise<number>;
}
