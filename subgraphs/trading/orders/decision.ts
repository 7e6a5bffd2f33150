import { z } from 'zod';

const cost = z.object({ amount: z.string(), notional: z.string(), fees: z.string(), total: z.string() });
const levels = z.array(z.object({ price: z.string(), amount: z.string() }));

/**
 * The routing alternatives of an order, as stored with it. Decimal text; amounts in the base, values in the quote currency, fees as
 * fractions.
 */
export const decisionForm = z.object({
  mid: z.string().nullable(),
  bound: z.string().nullable(),
  slippagePercent: z.string().nullable(),
  refused: z.string().nullable(),
  expected: cost.nullable(),
  venues: z.array(
    z.object({
      venue: z.string(),
      usable: z.boolean(),
      makerFee: z.string(),
      takerFee: z.string(),
      bids: levels,
      asks: levels,
      /** The cost at this venue alone; null if that was not possible. */
      alone: cost.nullable(),
    }),
  ),
  children: z.array(
    z.object({
      venue: z.string(),
      amount: z.string(),
      limitPrice: z.string(),
      timeInForce: z.enum(['GTC', 'IOC', 'FOK']),
    }),
  ),
});

export type Decision = z.output<typeof decisionForm>;
export type Cost = z.output<typeof cost>;
