export type Separator = (typeof separators)[number];
export const separators = [';', ','] as const;

export function isSeparator(value: unknown): value is Separator {
  return separators.some((separator) => separator === value);
}

const number = /^-?\d+(\.\d+)?$/;
/** A formula for any spreadsheet: at the beginning, or of a cell by another separator or line break, behind blanks and quotes that it may drop. */
const formula = /(?<=^|[,;\t\n]|\r(?!\n))(?=[ "\u00a0]*(?:[=+\-@\t]|\r(?!\n)))/g;
const special = /[";,\r\n]/;

/** A line of CSV (RFC 4180) with its end. Numbers stay; what any spreadsheet would read as a formula gets a leading apostrophe. */
export function csvLine(cells: readonly string[], separator: Separator): string {
  return `${cells.map(cellOf).join(separator)}\r\n`;
}

function cellOf(text: string): string {
  const harmless = number.test(text) ? text : text.replace(formula, "'");
  return special.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
