import { Field, InputType, ObjectType } from 'type-graphql';
import { AtMost } from '../../../../shared/graphql/constraint.js';
import { DecimalScalar } from '../../../../shared/graphql/scalars.js';
import type { Shape } from '../../../../shared/graphql/shape.js';
import type { ConfiguredVenueRow } from './venue.store.js';
import { fields, flag, nullable, text, texts, time } from '../../../../shared/graphql/fields.js';

const nameText = 'Name of the exchange: 2 to 30 lower-case letters, digits and hyphens, beginning with a letter';
const exchangeText = 'Id of the exchange in ccxt: `binance`';
const symbolsText = 'Markets that are traded there, such as `BTC/BRL`';
const feeText = 'of a trade, in percent of its value, from 0 to 10 with at most 6 decimals';
const sandboxText = 'Whether it is the test system of the exchange';

@ObjectType({
  simpleResolvers: true,
  description: 'An exchange that an operator added. `tradingVenues` has its state.',
})
export class ConfiguredVenue extends fields({
  name: text(`${nameText}.`),
  exchange: text(`${exchangeText}.`),
  symbols: texts(`${symbolsText}.`),
  sandbox: flag(`${sandboxText}.`),
  makerFee: nullable.decimal(`Fee of a maker ${feeText}. Null for the fee that the exchange reports.`),
  takerFee: nullable.decimal(`Fee of a taker ${feeText}. Null for the fee that the exchange reports.`),
  settings: text('Further settings of ccxt, as JSON.'),
  createdAt: time('Time at which it was added.'),
  retiredAt: nullable.time('Time since which it gets no orders; null while it is in use.'),
}) {}

@InputType({ description: 'An exchange to be added, with the keys of an account of the platform there.' })
export class TradingVenueInput {
  @AtMost({ maxLength: 30 })
  @Field(() => String, { description: `${nameText}. A name can be used only once.` })
  name!: string;

  @AtMost({ maxLength: 40 })
  @Field(() => String, { description: `${exchangeText}.` })
  exchange!: string;

  @AtMost({ maxLength: 30, maxItems: 50 })
  @Field(() => [String], { description: `${symbolsText}: 1 to 50 of \`tradingMarkets\`.` })
  symbols!: string[];

  @Field(() => String, { description: 'Key of the API. Encrypted, and never shown.' })
  apiKey!: string;

  @AtMost({ maxLength: 10_000 })
  @Field(() => String, { description: 'Secret of the key. Encrypted, and never shown.' })
  secret!: string;

  @AtMost({ maxLength: 10_000 })
  @Field(() => String, {
    nullable: true,
    description: 'Passphrase of the key, if the exchange uses one. Encrypted, and never shown.',
  })
  password?: string | null;

  @Field(() => Boolean, {
    defaultValue: false,
    description: `${sandboxText}: rejected with 422 in an installation with real money.`,
  })
  sandbox!: boolean;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: `Fee of a maker ${feeText}; give it together with \`takerFee\`, or omit both for the fees that the exchange reports.`,
  })
  makerFee?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: `Fee of a taker ${feeText}; give it together with \`makerFee\`, or omit both for the fees that the exchange reports.`,
  })
  takerFee?: string | null;

  @AtMost({ maxLength: 10_000 })
  @Field(() => String, {
    nullable: true,
    description: 'Further settings of ccxt as a JSON object: `hostname`, `urls.api`, `has`, `options`. No secrets.',
  })
  settings?: string | null;
}

export function toConfiguredVenue({ settings, ...row }: ConfiguredVenueRow): Shape<ConfiguredVenue> {
  return { ...row, settings: JSON.stringify(settings) };
}
