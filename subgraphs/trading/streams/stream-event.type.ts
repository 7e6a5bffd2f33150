import { Directive, Field, ID, ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { DateTimeScalar } from '../../../shared/graphql/scalars.js';
import { Balance } from '../ledger/finding.type.js';
import { DepthType, TickerType } from '../markets/market.type.js';
import { Order } from '../orders/order.type.js';
import { maxSnapshotOrders } from './wallet-streams.js';

/** Open orders of a snapshot that its cost assumes: few wallets have more. */
const assumedOrders = 50;

export type StreamEventKind = 'SNAPSHOT' | 'UPDATE' | 'RESET';

const StreamEventKindEnum = describeEnum<StreamEventKind>(
  'StreamEventKind',
  'Kind of an event of a stream.',
  {
    SNAPSHOT: 'The current state, which includes everything up to this event.',
    UPDATE: 'A change.',
    RESET: 'The requested event cannot be replayed: discard the known state; a snapshot follows.',
  },
  { SNAPSHOT: ['Estado atual', 'Snapshot'], UPDATE: ['Atualização', 'Update'], RESET: ['Reinício', 'Reset'] },
);

@ObjectType()
abstract class StreamEvent {
  @Field(() => StreamEventKindEnum, { description: 'Kind of the event' })
  kind!: StreamEventKind;

  @Field(() => ID, {
    description:
      'Number of the event, decimal. For orders and balances it increases by one with each update of a wallet; a snapshot has that of the last update it includes. For prices it increases with gaps, and restarts with the server.',
  })
  eventId!: string | number;

  @Field(() => String, {
    nullable: true,
    description:
      'Identifies an event of orders or balances: pass that of the last event received as `since` to continue after it. Opaque. Null in a reset, and for prices, which begin with the current state',
  })
  cursor?: string | null;

  @Field(() => DateTimeScalar, { description: 'Time of the event' })
  timestamp!: string;
}

// What an event contains was stored, or is shared by all readers, as JSON of the type of its field.

@ObjectType({ simpleResolvers: true, description: 'The current prices of a market.' })
export class TickerEvent extends StreamEvent {
  @Field(() => TickerType, { description: 'The prices.' })
  ticker!: object;
}

@ObjectType({ simpleResolvers: true, description: 'The current order book of a market.' })
export class DepthEvent extends StreamEvent {
  @Field(() => DepthType, { description: 'The order book.' })
  depth!: object;
}

@ObjectType({ simpleResolvers: true, description: 'An order that changed, or the open orders of a wallet.' })
export class OrderEvent extends StreamEvent {
  @Field(() => Order, { nullable: true, description: 'In an update the order in its new state; else null' })
  order!: unknown;

  @Directive(`@listSize(assumedSize: ${assumedOrders})`)
  @Field(() => [Order], {
    nullable: true,
    description: `In a snapshot the open orders, newest first, at most ${maxSnapshotOrders.toLocaleString('en')}; else null`,
  })
  orders!: unknown;
}

@ObjectType({ simpleResolvers: true, description: 'Balances of a wallet that changed, or all of them.' })
export class BalanceEvent extends StreamEvent {
  @Directive('@listSize(assumedSize: 20)')
  @Field(() => [Balance], {
    nullable: true,
    description: 'In a snapshot the balances in every currency, in an update those that changed; null in a reset',
  })
  balances!: unknown;
}
