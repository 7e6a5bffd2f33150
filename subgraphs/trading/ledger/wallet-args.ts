import { ArgsType, Field, ID } from 'type-graphql';

/** Which wallet a field acts on: every field of trading that acts on one takes these. */
@ArgsType()
export class WalletArgs {
  @Field(() => ID, { nullable: true, description: "Id of a profile (UUID); the company's own wallet when omitted" })
  profileId?: string | null;

  @Field(() => Boolean, { nullable: true, defaultValue: false, description: 'Whether it is the synthetic wallet' })
  synthetic?: boolean | null;
}
