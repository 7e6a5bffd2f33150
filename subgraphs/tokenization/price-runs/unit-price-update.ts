import { z } from 'zod';
import type { DomainEvent } from '../../../shared/events/outbox/outbox.js';

export const unitPriceTopic = 'tranche.unit_price_updated';

/** The event of a pricing run, under the series' ticker, when the newest price changed. */
export const unitPriceEventSchema = z.object({
  payload: z.object({
    data: z.object({
      trancheTicker: z.string(),
      date: z.iso.date(),
      unitPrice: z.string(),
      nominalValue: z.string(),
      interestJ: z.string(),
      projected: z.boolean().default(false),
      correction: z.boolean().default(false),
    }),
  }),
});

/** The visible price of a series. Values of a unit in reais with 8 decimals. */
export interface ShownPrice {
  readonly trancheTicker: string;
  readonly patrimonyTicker: string;
  /** Date of the price, `YYYY-MM-DD`. */
  readonly date: string;
  readonly unitPrice: string;
  readonly nominalValue: string;
  readonly interestJ: string;
  /** Whether it was made with a projection of an index number. */
  readonly projected: boolean;
}

/** @param correction whether another price of that day was announced before */
export function unitPriceEvent(price: ShownPrice, correction = false): DomainEvent {
  const { trancheTicker, patrimonyTicker, date, unitPrice, nominalValue, interestJ, projected } = price;
  const data = { trancheTicker, patrimonyTicker, date, unitPrice, nominalValue, interestJ, projected, correction };
  return { topic: unitPriceTopic, key: trancheTicker, payload: { ownerId: null, data } };
}
