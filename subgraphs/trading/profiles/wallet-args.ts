import { ArgsType, Field, ID } from 'type-graphql';

/** Of a call that is the same for real and synthetic wallets, as everywhere in the sandbox. */
@ArgsType()
export class ModeArgs {
  @Field(() => Boolean, {
    defaultValue: false,
    description:
      'Whether the call is synthetic: simulated, with funds of its own. In the sandbox it must be. REST: `X-Synthetic`.',
  })
  synthetic!: boolean;
}

/** Which wallet a call acts on: arguments of every field that acts on one. */
@ArgsType()
export class WalletArgs extends ModeArgs {
  @Field(() => ID, {
    nullable: true,
    description: "Id of a profile of the company; the company's own wallet when it is not given. REST: `X-Profile-Id`.",
  })
  profileId?: string | null;
}
