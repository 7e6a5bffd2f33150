import { Field, InputType, ObjectType } from 'type-graphql';
import { AtMost } from '../../../../shared/subgraph/constraint.js';
import { DateTimeScalar, DecimalScalar } from '../../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../../shared/subgraph/shape.js';
import type { ConfiguredVenueRow } from './venue.store.js';

const nameText = 'How the house calls it: 2 to 30 small letters, digits and hyphens, a letter first';
const exchangeText = 'Which exchange it is, as ccxt calls it: `binance`';
const symbolsText = 'The markets that are traded there, as `BTC/BRL`';
const feeText = 'of a trade, in percent of its value, from 0 to 10 with at most 6 decimals';
const sandboxText = "Whether it is the exchange's own test system";

@ObjectType({
  simpleResolvers: true,
  description: 'An exchange that the operator added. `tradingVenues` says how it is.',
})
export class ConfiguredVenue {
  @Field(() => String, { description: `${nameText}.` })
  name!: string;

  @Field(() => String, { description: `${exchangeText}.` })
  exchange!: string;

  @Field(() => [String], { description: `${symbolsText}.` })
  symbols!: readonly string[];

  @Field(() => Boolean, { description: `${sandboxText}.` })
  sandbox!: boolean;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: `Fee of a maker ${feeText}. Null: what the exchange says.`,
  })
  makerFee!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: `Fee of a taker ${feeText}. Null: what the exchange says.`,
  })
  takerFee!: string | null;

  @Field(() => String, { description: 'Further settings of ccxt, as JSON.' })
  settings!: string;

  @Field(() => DateTimeScalar, { description: 'When it was added.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Since when it gets no orders; null while it is in use.',
  })
  retiredAt!: Date | null;
}

@InputType({ description: 'An exchange that is to be added, with the keys of an account of the house there.' })
export class TradingVenueInput {
  @AtMost({ maxLength: 30 })
  @Field(() => String, { description: `${nameText}. It is never given twice.` })
  name!: string;

  @AtMost({ maxLength: 40 })
  @Field(() => String, { description: `${exchangeText}.` })
  exchange!: string;

  @AtMost({ maxLength: 30, maxItems: 50 })
  @Field(() => [String], { description: `${symbolsText}: 1 to 50 of \`tradingMarkets\`.` })
  symbols!: string[];

  @Field(() => String, { description: 'Key of the API. Sealed, and shown to nobody.' })
  apiKey!: string;

  @AtMost({ maxLength: 10_000 })
  @Field(() => String, { description: 'Its secret. Sealed, and shown to nobody.' })
  secret!: string;

  @AtMost({ maxLength: 10_000 })
  @Field(() => String, {
    nullable: true,
    description: 'Its passphrase, where the exchange has one. Sealed, and shown to nobody.',
  })
  password?: string | null;

  @Field(() => Boolean, { defaultValue: false, description: `${sandboxText}: 422 where there is real money.` })
  sandbox!: boolean;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: `Fee of a maker ${feeText}; with \`takerFee\`, or neither. Left out: what the exchange says.`,
  })
  makerFee?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: `Fee of a taker ${feeText}; with \`makerFee\`, or neither. Left out: what the exchange says.`,
  })
  takerFee?: string | null;

  @AtMost({ maxLength: 10_000 })
  @Field(() => String, {
    nullable: true,
    description: 'Further settings of ccxt as a JSON object: `hostname`, `urls.api`, `has`, `options`. No secrets.',
  })
  settings?: string | null;
}

export function toConfiguredVenue(row: ConfiguredVenueRow): Shape<ConfiguredVenue> {
  const { name, exchange, symbols, sandbox, makerFee, takerFee, settings, createdAt, retiredAt } = row;
  const shown = { name, exchange, symbols, sandbox, makerFee, takerFee, createdAt, retiredAt };
  return { ...shown, settings: JSON.stringify(settings) };
}
