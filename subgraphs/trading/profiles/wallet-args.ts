import { ArgsType, Field, ID } from 'type-graphql';

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
