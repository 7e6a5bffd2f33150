import { z } from 'zod';

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
    }),
  }),
});
