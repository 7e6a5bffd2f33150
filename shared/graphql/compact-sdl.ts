/** The longest line on which an argument stands beside its field, or the value of an enum beside its description. */
const width = 160;

const blockString = /("""(?:\\"""|[^"\\]|\\(?!""")|"(?!""))*""")/;

/** Writes the same schema with half as many lines: short descriptions, arguments and enum values beside their names. */
export function compactSdl(sdl: string): string {
  return sdl
    .split(blockString)
    .map((part, place) => (place % 2 === 1 ? compactDescription(part) : compactCode(part)))
    .join('')
    .replaceAll(
      /\(\n\s+("""[^\n]+)\n\s+([^\n]+)\n\s+\)([^\n]*)/g,
      (whole, description: string, argument: string, rest: string) =>
        description.length + argument.length + rest.length > width ? whole : `(${description} ${argument})${rest}`,
    )
    .replaceAll(/^( {2}"""[^\n]+""")\n {2}([A-Z][A-Z0-9_]*)$/gm, (whole, description: string, value: string) =>
      description.length + value.length > width ? whole : `${description} ${value}`,
    );
}

/** A quotation mark or a backslash at the end would belong to the closing marks. */
function compactDescription(text: string): string {
  return text.replace(/^"""\n\s*([^\n]*[^"\\\n])\n\s*"""$/, '"""$1"""');
}

function compactCode(text: string): string {
  return text
    .replaceAll(/\n\n( +)/g, '\n$1')
    .replaceAll(/\n {2}@/g, ' @')
    .replaceAll('\n{', ' {');
}
