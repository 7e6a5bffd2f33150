import { z } from 'zod';
import type { DomainEvent } from '../../../shared/outbox/outbox.js';

export const unitPriceTopic = 'tranche.unit_price_updated';

/** What a run of the prices announces, under the series' ticker, when its newest price is another one. */
export const unitPriceEventSchema = z.object({
  payload: z.object({
    data: z.object({
      trancheTicker: z.string(),
      date: z.iso.date(),
      unitPrice: z.string(),
      nominalValue: z.string(),
      interestJ: z.string(),
      correction: z.boolean().default(false),
    }),
  }),
});

/** A price as a series shows it. Values of a unit in reais with 8 decimals. */
export interface ShownPrice {
  readonly trancheTicker: string;
  readonly patrimonyTicker: string;
  /** The day that it is of, `YYYY-MM-DD`. */
  readonly date: string;
  readonly unitPrice: string;
  readonly nominalValue: string;
  readonly interestJ: string;
}

/**
 * What is told of a series that shows another price.
 * @param correction whether the price of that day had been another one
 */
export function unitPriceEvent(price: ShownPrice, correction = false): DomainEvent {
  const { trancheTicker, patrimonyTicker, date, unitPrice, nominalValue, interestJ } = price;
  const data = { trancheTicker, patrimonyTicker, date, unitPrice, nominalValue, interestJ, correction };
  return { topic: unitPriceTopic, key: trancheTicker, payload: { ownerId: null, data } };
}
