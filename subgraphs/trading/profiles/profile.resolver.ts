import { Arg, Args, ArgsType, Ctx, Field, ID, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { Access } from '../../../shared/subgraph/access.js';
import { AtMost } from '../../../shared/subgraph/constraint.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { changeSuspension } from './change-suspension.js';
import { createProfile } from './create-profile.js';
import type { FundWallet } from './open-wallets.js';
import type { TaxIdType } from './profile.js';
import { Profile, ProfileList, ProfileStatusEnum, TaxIdTypeEnum, toProfile } from './profile.type.js';
import type { ProfileStatus } from './profile.js';
import { readProfiles } from './read-profiles.js';
import { updateProfile } from './update-profile.js';
import { ModeArgs } from './wallet-args.js';

export interface ProfileResolverParts {
  readonly fund: FundWallet;
  readonly cursors: CursorCodec;
}

@ArgsType()
class CreateProfileArgs extends ModeArgs {
  @AtMost({ maxLength: 400 })
  @Field(() => String, { description: 'Name of the person, 1 to 200 characters.' })
  name!: string;

  @AtMost({ maxLength: 20 })
  @Field(() => String, { description: 'CPF (11 digits) or CNPJ (14 characters), without punctuation.' })
  document!: string;

  @Field(() => TaxIdTypeEnum, { description: 'Which of the two it is.' })
  documentType!: TaxIdType;

  @AtMost({ maxLength: 254 })
  @Field(() => String, { description: 'E-mail of the person, at most 254 characters of ASCII.' })
  email!: string;
}

@ArgsType()
class FetchProfilesArgs extends ModeArgs {
  @Field(() => Int, { nullable: true, defaultValue: 20, description: 'How many, from 1 to 100; 20 when omitted.' })
  limit?: number | null;

  @Field(() => String, { nullable: true, description: '`nextToken` of the page before.' })
  nextToken?: string | null;
}

@ArgsType()
class OwnProfileArgs extends ModeArgs {
  @Field(() => ID, { description: 'Id of a profile of the company.' })
  id!: string;
}

@ArgsType()
class UpdateProfileArgs extends ModeArgs {
  @Field(() => ID, { description: 'Id of a profile of the company.' })
  profileId!: string;

  @AtMost({ maxLength: 400 })
  @Field(() => String, {
    nullable: true,
    description: 'Name of the person, 1 to 200 characters; it stays when omitted.',
  })
  name?: string | null;

  @AtMost({ maxLength: 254 })
  @Field(() => String, {
    nullable: true,
    description: 'E-mail of the person, at most 254 characters of ASCII; it stays when omitted.',
  })
  email?: string | null;
}

const anyText = 'Id of the profile.';
const again = 'Returns the status of the profile afterwards; doing it again changes nothing.';

@Resolver()
export class ProfileResolver {
  constructor(private readonly parts: ProfileResolverParts) {}

  @Access('trader', 'trade')
  @Mutation(() => Profile, {
    description:
      'Opens a profile of the calling company, with a real and a synthetic wallet. REST: POST /v1/account/createProfile. Errors: 400; 401 CAAS_AUTH_001; 403 without the scope `trade`, or for a company that is suspended; 409 CAAS_PROF_001 when the company has a profile with the document; 422 for wrong check digits.',
  })
  async createProfile(
    @Ctx() context: Context,
    @Args(() => CreateProfileArgs)
    { name, document: taxId, documentType: taxIdType, email, synthetic }: CreateProfileArgs,
  ): Promise<Shape<Profile>> {
    return toProfile(await createProfile(context, this.parts.fund, { name, taxId, taxIdType, email }, synthetic));
  }

  @Access('trader', 'read')
  @Query(() => ProfileList, {
    description:
      'The profiles of the calling company, the oldest first. REST: GET /v1/account/fetchProfiles. Errors: 400; 401 CAAS_AUTH_001; 403 without the scope `read`.',
  })
  fetchProfiles(
    @Ctx() context: Context,
    @Args(() => FetchProfilesArgs) { limit, nextToken, synthetic }: FetchProfilesArgs,
  ): Promise<Shape<ProfileList>> {
    const { ownerId } = context.principal;
    return readProfiles(context, this.parts.cursors, ownerId, { limit, nextToken, synthetic });
  }

  @Access('trader', 'trade')
  @Mutation(() => Profile, {
    description:
      'Corrects name and e-mail of a profile of the calling company; doing it again changes nothing. The document never changes: it says who the person is. Errors: 400, also where neither is given; 401 CAAS_AUTH_001; 403 without the scope `trade`; 404.',
  })
  async updateProfile(
    @Ctx() context: Context,
    @Args(() => UpdateProfileArgs) { profileId, name, email, synthetic }: UpdateProfileArgs,
  ): Promise<Shape<Profile>> {
    return toProfile(await updateProfile(context, profileId, { name, email }, synthetic));
  }

  @Access('trader', 'trade')
  @Mutation(() => ProfileStatusEnum, {
    description: `Suspends a profile of the calling company: it can read and cancel, and opens nothing new. ${again} Errors: 401 CAAS_AUTH_001; 403 without the scope \`trade\`; 404.`,
  })
  async suspendProfile(
    @Ctx() context: Context,
    @Args(() => OwnProfileArgs) { id }: OwnProfileArgs,
  ): Promise<ProfileStatus> {
    return (await changeSuspension(context, id, 'companySuspends')).status;
  }

  @Access('trader', 'trade')
  @Mutation(() => ProfileStatusEnum, {
    description: `Activates a profile of the calling company that was suspended. ${again} Errors: 401 CAAS_AUTH_001; 403 without the scope \`trade\`, and for a profile that the operator suspended; 404.`,
  })
  async activateProfile(
    @Ctx() context: Context,
    @Args(() => OwnProfileArgs) { id }: OwnProfileArgs,
  ): Promise<ProfileStatus> {
    return (await changeSuspension(context, id, 'companyActivates')).status;
  }

  @Access('operator', 'trade')
  @Mutation(() => ProfileStatusEnum, {
    description: `Suspends a profile of any company, which the company cannot activate then. ${again} Errors: 401 and 403 without the role \`trade\`; 404.`,
  })
  async suspendTradingProfile(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: anyText }) id: string,
  ): Promise<ProfileStatus> {
    return (await changeSuspension(context, id, 'operatorSuspends')).status;
  }

  @Access('operator', 'trade')
  @Mutation(() => ProfileStatusEnum, {
    description: `Takes the operator's suspension of a profile back; where the company suspended it too it stays suspended. ${again} Errors: 401 and 403 without the role \`trade\`; 404.`,
  })
  async activateTradingProfile(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: anyText }) id: string,
  ): Promise<ProfileStatus> {
    return (await changeSuspension(context, id, 'operatorActivates')).status;
  }
}
