import { ArgsType, Field, ID, Int } from 'type-graphql';
import { AtMost } from '../../../shared/subgraph/constraint.js';

/** The `synthetic` argument alone, for calls without a profile; it must be true in the sandbox. */
@ArgsType()
export class ModeArgs {
  @Field(() => Boolean, {
    defaultValue: false,
    description:
      'Whether the request is synthetic, which means simulated with separate funds. Must be true in the sandbox. REST: `X-Synthetic`.',
  })
  synthetic!: boolean;
}

/** The arguments of every field that acts on a wallet. */
@ArgsType()
export class WalletArgs extends ModeArgs {
  @Field(() => ID, {
    nullable: true,
    description: "Id of a profile of the company; the company's own wallet when omitted. REST: `X-Profile-Id`.",
  })
  profileId?: string | null;
}

/** A page of a list of a wallet in the documented form. */
@ArgsType()
export class WalletListArgs extends WalletArgs {
  @Field(() => Int, { nullable: true, defaultValue: 20, description: 'Items per page, 1 to 100; default 20.' })
  limit?: number | null;

  @AtMost({ maxLength: 500 })
  @Field(() => String, { nullable: true, description: '`nextToken` of the previous page.' })
  nextToken?: string | null;
}

export const nextTokenText = 'Token to pass for the next page; null on the last page (omitted over REST).';
