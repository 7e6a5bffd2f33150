import { ArgsType, Field } from 'type-graphql';
import { AtMost } from '../../../shared/subgraph/constraint.js';
import { ModeArgs } from '../profiles/wallet-args.js';

/** The market and world of a read. */
@ArgsType()
export class SymbolArgs extends ModeArgs {
  @AtMost({ maxLength: 30 })
  @Field(() => String, { description: 'Symbol of a market, such as `BTC/BRL`.' })
  symbol!: string;
}
