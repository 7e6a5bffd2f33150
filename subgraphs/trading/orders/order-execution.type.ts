import { ObjectType, ArgsType } from 'type-graphql';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { Fill } from '../venues/venue.js';
import { TimeInForceEnum, OrderSideEnum } from './order.type.js';
import type { OrderRow } from './order.store.js';
import {
  args,
  decimal,
  fields,
  flag,
  id,
  int,
  list,
  nullable,
  of,
  text,
  time,
} from '../../../shared/graphql/fields.js';

const LiquidityEnum = describeEnum<Fill['liquidity']>(
  'Liquidity',
  'Side of a trade with regard to the order book.',
  { MAKER: 'The order was in the order book before the trade', TAKER: 'The order was executed against the order book' },
  { MAKER: ['Adicionou liquidez', 'Added liquidity'], TAKER: ['Removeu liquidez', 'Removed liquidity'] },
);

@ObjectType({ simpleResolvers: true, description: 'Total of an execution.' })
export class ExecutionCost extends fields({
  amount: decimal('Amount in the base currency.'),
  notional: decimal('Price × amount, in the quote currency.'),
  fees: decimal('Fees of the venues, in the quote currency.'),
  total: decimal('Total amount to be paid for a BUY, or received for a SELL, in the quote currency.'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A level of an order book.' })
export class ExecutionLevel extends fields({
  price: decimal('Price in the quote currency.'),
  amount: decimal('Amount in the base currency.'),
}) {}

@ObjectType('ConsideredVenue', {
  simpleResolvers: true,
  description: 'A venue in its state when the order was routed.',
})
export class ConsideredVenueType extends fields({
  venue: text('Name.'),
  usable: flag('Whether orders could be sent to it.'),
  makerFee: decimal('Fee of an execution that added liquidity, in percent of its value.'),
  takerFee: decimal('Fee of an execution that removed liquidity, in percent of its value.'),
  bids: list<Shape<ExecutionLevel>>(() => ExecutionLevel, 'The best 20 bids, best first.', { assumedSize: 20 }),
  asks: list<Shape<ExecutionLevel>>(() => ExecutionLevel, 'The best 20 asks, best first.', { assumedSize: 20 }),
  alone: nullable.of<Shape<ExecutionCost>>(
    () => ExecutionCost,
    'Total of the order if it had been executed at this venue only; null when nothing could be executed.',
  ),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A part of an order that was sent to a venue.' })
export class PlannedExecution extends fields({
  venue: text('The venue.'),
  amount: decimal('Amount in the base currency.'),
  limitPrice: decimal('Worst price that was allowed, in the quote currency.'),
  timeInForce: of(() => TimeInForceEnum, 'Time in force at the venue: GTC, IOC or FOK.'),
  round: int('Round in which it was sent, from 1 to 3. What an IOC order has left after a round is sent again.'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A trade of an order on a venue.' })
export class OrderFill extends fields({
  venue: text('The venue.'),
  tradeId: text('Id of the trade at the venue.'),
  price: decimal('Price in the quote currency.'),
  amount: decimal('Amount in the base currency.'),
  liquidity: of(() => LiquidityEnum, 'Whether the order added liquidity to the order book, or removed it.'),
  tradedAt: time('Time of the trade.'),
}) {}

@ObjectType({
  simpleResolvers: true,
  description:
    'Execution of an order, with the reasons for its routing. For a rejected order it is stored for 30 days; afterwards `venues` is empty, and the prices are null.',
})
export class OrderExecution extends fields({
  orderId: id('Id of the order.'),
  mid: nullable.decimal('Mid price between the best bid and ask when the order was routed.'),
  bound: nullable.decimal('Worst price that was allowed: the limit or the collar.'),
  refused: nullable.text('Reason for which it was not sent to any venue; null when it was.'),
  expected: nullable.of<Shape<ExecutionCost>>(() => ExecutionCost, 'Total that was expected to be executed at once.'),
  expectedSlippagePercent: nullable.decimal(
    'Expected average price relative to the mid price, in percent; a positive value is worse.',
  ),
  slippagePercent: nullable.decimal(
    'Average price of the fills relative to the mid price, in percent; a positive value is worse.',
  ),
  venues: list<Shape<ConsideredVenueType>>(() => ConsideredVenueType, 'The venues that were considered.', {
    assumedSize: 10,
  }),
  children: list<Shape<PlannedExecution>>(
    () => PlannedExecution,
    'Parts of the order that were sent to venues, by round.',
    { assumedSize: 20 },
  ),
  fills: list<Shape<OrderFill>>(() => OrderFill, 'Fills of the order, in the order of their trades; at most 1,000.', {
    assumedSize: 1000,
  }),
}) {}

const ResolutionEnum = describeEnum('ExecutionOutcome', 'Outcome of an order at a venue.', {
  FILLED: 'It was filled: `amount` at `price`.',
  CANCELLED: 'It was cancelled; if `amount` and `price` are given, that part was filled before.',
  REJECTED: 'The venue never accepted it.',
});

/** An operator's finding about an execution. */
@ArgsType()
export class ResolutionArgs extends args({
  outcome: of(() => ResolutionEnum, 'Outcome at the venue.'),
  amount: nullable.decimal('Filled amount, in the base currency; at most the remaining amount.'),
  price: nullable.decimal('Average price of the filled amount, in the quote currency; not worse than the limit.'),
  reason: text('Source of the outcome, for the audit log: 1 to 500 characters on one line.'),
}) {}

@ObjectType({
  description: 'An execution at a venue, for an order or for a hedge, whose outcome is unknown.',
})
export class UnknownExecution extends fields({
  id: id('Id of the execution (UUID), which is its client order id at the venue.'),
  venue: text('The venue.'),
  amount: decimal('Amount that was sent, in the base currency.'),
  limitPrice: decimal('Limit price, in the quote currency.'),
  filledAmount: decimal('Amount that is known to be filled, in the base currency.'),
  reason: nullable.text('Last error.'),
  looks: int('Number of look-ups at the venue that did not find it since it was last found.'),
}) {}

@ObjectType({ description: 'An order that waits for an operator. Its funds remain held.' })
export class QuarantinedOrder extends fields({
  orderId: id('The order (UUID).'),
  companyId: id('Id of the company.'),
  symbol: text('The market.'),
  side: of(() => OrderSideEnum, 'BUY or SELL.'),
  synthetic: flag('Whether it is synthetic.'),
  createdAt: time('Time at which it was placed.'),
  quarantinedAt: time('Time since which it waits.'),
}) {}

export function toQuarantinedOrder(row: OrderRow): Omit<Shape<QuarantinedOrder>, 'executions'> {
  const { id: orderId, companyId, symbol, side, synthetic, createdAt, quarantinedAt } = row;
  return { orderId, companyId, symbol, side, synthetic, createdAt, quarantinedAt: quarantinedAt ?? createdAt };
}
