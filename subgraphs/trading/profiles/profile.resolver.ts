import { Arg, Args, ArgsType, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { Access } from '../../../shared/graphql/access.js';
import { FormMutation } from '../../../shared/graphql/forms.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { changeSuspension, createProfile, type FundWallet, readProfiles, updateProfile } from './profiles.acts.js';
import type { ProfileStatus } from './profile.js';
import { Profile, ProfileList, ProfileStatusEnum, TaxIdTypeEnum, toProfile } from './profile.type.js';
import { ofMode } from './require-wallet.js';
import { args, id, nullable, of, text } from '../../../shared/graphql/fields.js';

@ArgsType()
class CreateProfileArgs extends args({
  ...ofMode,
  name: text('Name of the person, 1 to 200 characters.', { maxLength: 400 }),
  document: text('CPF (11 digits) or CNPJ (14 characters), without punctuation.', { maxLength: 20 }),
  documentType: of(() => TaxIdTypeEnum, 'Type of the tax id.'),
  email: text('E-mail of the person, at most 254 characters of ASCII.', { maxLength: 254 }),
}) {}

@ArgsType()
class FetchProfilesArgs extends args({
  ...ofMode,
  limit: nullable.int('Page size, from 1 to 100; default 20.', { defaultValue: 20 }),
  nextToken: nullable.text('`nextToken` of the previous page.'),
}) {}

@ArgsType()
class OwnProfileArgs extends args({
  ...ofMode,
  id: id('Id of a profile of the company.'),
}) {}

@ArgsType()
class UpdateProfileArgs extends args({
  ...ofMode,
  profileId: id('Id of a profile of the company.'),
  name: nullable.text('Name of the person, 1 to 200 characters; unchanged when omitted.', { maxLength: 400 }),
  email: nullable.text('E-mail of the person, at most 254 characters of ASCII; unchanged when omitted.', {
    maxLength: 254,
  }),
}) {}

const anyText = 'Id of the profile.';
const again = 'Returns the status of the profile afterwards; repeating the call changes nothing.';

@Resolver()
export class ProfileResolver {
  constructor(private readonly parts: { readonly fund: FundWallet; readonly cursors: CursorCodec }) {}

  @Access('trader', 'trade')
  @FormMutation()
  @Mutation(() => Profile, {
    description:
      'Creates a profile of the calling company, with a real and a synthetic wallet. REST: POST /v1/account/createProfile. Errors: 400; 401 CAAS_AUTH_001; 403 without the scope `trade`, and for a suspended company; 409 CAAS_PROF_001 when the company already has a profile with the document; 422 for wrong check digits.',
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
      'The profiles of the calling company, oldest first. REST: GET /v1/account/fetchProfiles. Errors: 400; 401 CAAS_AUTH_001; 403 without the scope `read`.',
  })
  fetchProfiles(
    @Ctx() context: Context,
    @Args(() => FetchProfilesArgs) { limit, nextToken, synthetic }: FetchProfilesArgs,
  ): Promise<Shape<ProfileList>> {
    const { ownerId } = context.principal;
    return readProfiles(context, this.parts.cursors, ownerId, { limit, nextToken, synthetic });
  }

  @Access('trader', 'trade')
  @FormMutation()
  @Mutation(() => Profile, {
    description:
      'Changes name and e-mail of a profile of the calling company; repeating the call changes nothing. The document cannot be changed, because it identifies the person. Errors: 400, also when neither is given; 401 CAAS_AUTH_001; 403 without the scope `trade`; 404.',
  })
  async updateProfile(
    @Ctx() context: Context,
    @Args(() => UpdateProfileArgs) { profileId, name, email, synthetic }: UpdateProfileArgs,
  ): Promise<Shape<Profile>> {
    return toProfile(await updateProfile(context, profileId, { name, email }, synthetic));
  }

  @Access('trader', 'trade')
  @Mutation(() => ProfileStatusEnum, {
    description: `Suspends a profile of the calling company: it can read and cancel, but not open anything new. ${again} Errors: 401 CAAS_AUTH_001; 403 without the scope \`trade\`; 404.`,
  })
  async suspendProfile(
    @Ctx() context: Context,
    @Args(() => OwnProfileArgs) { id }: OwnProfileArgs,
  ): Promise<ProfileStatus> {
    return (await changeSuspension(context, id, 'companySuspends')).status;
  }

  @Access('trader', 'trade')
  @Mutation(() => ProfileStatusEnum, {
    description: `Activates a suspended profile of the calling company. ${again} Errors: 401 CAAS_AUTH_001; 403 without the scope \`trade\`, and for a profile that an operator suspended; 404.`,
  })
  async activateProfile(
    @Ctx() context: Context,
    @Args(() => OwnProfileArgs) { id }: OwnProfileArgs,
  ): Promise<ProfileStatus> {
    return (await changeSuspension(context, id, 'companyActivates')).status;
  }

  @Access('operator', 'trade')
  @Mutation(() => ProfileStatusEnum, {
    description: `Suspends a profile of any company; the company cannot activate it. ${again} Errors: 401 and 403 without the role \`trade\`; 404.`,
  })
  async suspendTradingProfile(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: anyText }) id: string,
  ): Promise<ProfileStatus> {
    return (await changeSuspension(context, id, 'operatorSuspends')).status;
  }

  @Access('operator', 'trade')
  @Mutation(() => ProfileStatusEnum, {
    description: `Removes the suspension of a profile by an operator; if the company suspended it too, it remains suspended. ${again} Errors: 401 and 403 without the role \`trade\`; 404.`,
  })
  async activateTradingProfile(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: anyText }) id: string,
  ): Promise<ProfileStatus> {
    return (await changeSuspension(context, id, 'operatorActivates')).status;
  }
}
