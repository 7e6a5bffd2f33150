import { isDay } from '../../../shared/import/model/date-values.js';
import type { BrokenRule } from '../batches/broken-rule.js';
import { layoutRules } from './layout-rules.js';

interface Codec {
  /** Returns the value of a field; undefined when its columns have another form. */
  read(columns: string): string | undefined;
  readonly form: BrokenRule;
}

/** The kinds of fields that hold a value. A day or a text that is not filled in is the empty string, an amount `0.00`. */
export const codecs: Readonly<Record<'text' | 'day' | 'amount', Codec>> = {
  text: {
    read: withoutBlanksBehind,
    form: layoutRules.text,
  },
  day: {
    read: (columns) => {
      if (columns === '000000' || columns === '      ') return '';
      const day = `20${columns.slice(4)}-${columns.slice(2, 4)}-${columns.slice(0, 2)}`;
      return isDay(day) ? day : undefined;
    },
    form: layoutRules.day,
  },
  amount: {
    read: (columns) => {
      if (digits.test(columns)) return `${columns.slice(0, -2).replace(leadingZeros, '')}.${columns.slice(-2)}`;
      return withoutBlanksBehind(columns) === '' ? '0.00' : undefined;
    },
    form: layoutRules.amount,
  },
};

/**
 * Finds characters that no field may hold: control characters, and those beyond U+FFFF, which take two places in a line. The importer accepts
 * all others too, so that a contract has the same name in every file.
 */
export const illegible = /[^\x20-\x7e\xa0-\ud7ff\ue000-\uffff]/;

const digits = /^\d+$/;
const leadingZeros = /^0+(?=\d)/;

// Not trimEnd(), which also removes no-break spaces.
function withoutBlanksBehind(columns: string): string {
  let end = columns.length;
  while (end > 0 && columns.charCodeAt(end - 1) === 0x20) end -= 1;
  return columns.slice(0, end);
}
