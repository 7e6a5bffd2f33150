import { decimal } from '../../../../shared/import/model/number-values.js';
import { text } from '../../../../shared/import/model/text-values.js';

export const ticker = text({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._\\-]{0,39}$',
  rule: 'TICKER_FORM',
});

/** Reais with cents, not negative; the sum of a thousand of them still fits its column. */
export const amount = decimal(16, 2, { min: '0' });

export const share = decimal(14, 8, { min: '0', max: '100' });

export { label } from '../../../../shared/import/model/text-values.js';
