/**
 * Prints each option that a call lacks, then the usage of the command, and returns the exit code for wrong use.
 * @param args the arguments after the name of the command
 */
export function misused(usage: string, args: readonly string[]): number {
  const missing = missingOptions(usage, args).map((option) => `${option} is missing\n`);
  process.stderr.write(`${missing.join('')}${missing.length === 0 ? '' : '\n'}${usage}\n`);
  return 2;
}

/** One form of a command, as its usage shows it: `halt <symbol>|--all --reason <why>`. */
interface Form {
  /** Each with its alternatives: `returned|failed`. */
  readonly words: readonly (readonly string[])[];
  /** The options that the form cannot do without. */
  readonly options: readonly string[];
}

/** Returns the missing options of the form that has the words of a call; of several, of the one with most words, and which lacks fewest. */
function missingOptions(usage: string, args: readonly string[]): readonly string[] {
  const isGiven = (option: string) => args.some((arg) => arg === option || arg.startsWith(`${option}=`));
  const [nearest] = formsOf(usage)
    .filter(({ words }) => words.every((alternatives) => alternatives.some((word) => args.includes(word))))
    .map(({ words, options }) => ({ words: words.length, missing: options.filter((option) => !isGiven(option)) }))
    .sort((one, other) => other.words - one.words || one.missing.length - other.missing.length);
  return nearest?.missing ?? [];
}

/** Reads the forms of a usage, which are its text up to the first empty line. */
function formsOf(usage: string): Form[] {
  const [synopsis = ''] = usage.split('\n\n', 1);
  const [, ...forms] = synopsis.split(/npm run lastro -- \S+/);
  return forms.map((text) => {
    const words: string[][] = [];
    const options: string[] = [];
    // An option stands before its value, and `< keys` is the standard input.
    for (const [token] of withoutOptional(text).matchAll(/--\S+ (?:<[^>]*>\S*|\S+)|<[^>]*>\S*|\S+/g)) {
      if (token.startsWith('--')) options.push(token.slice(0, token.indexOf(' ')));
      else if (!token.startsWith('<')) words.push(token.split('|'));
    }
    return { words, options };
  });
}

/** Removes what is in brackets, from the inside out. */
function withoutOptional(text: string): string {
  const shorter = text.replace(/\[[^[\]]*\]/g, '');
  return shorter === text ? text.replace(/ < .*/s, '') : withoutOptional(shorter);
}
