import { Arg, Args, ArgsType, Ctx, Directive, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../shared/kernel/context.js';
import { Access, StepUp } from '../../../../shared/graphql/access.js';
import type { Shape } from '../../../../shared/graphql/shape.js';
import { ModeArgs, ofMode } from '../../profiles/require-wallet.js';
import { addAllowedAddress, removeAllowedAddress, requireAllowList } from './allow-list.js';
import { listAllowedAddresses } from './allow-list.store.js';
import { args, fields, id, nullable, text, time } from '../../../../shared/graphql/fields.js';

@ObjectType({ simpleResolvers: true, description: 'An address to which a company may withdraw.' })
export class WithdrawalAddress extends fields({
  id: id('Id (UUID).'),
  network: text('The network.'),
  address: text('The address, in its canonical form.'),
  label: text('Label chosen by the company.'),
  ownerName: nullable.text(
    'Name of its owner: the company itself when it named nobody; null when it did not say that.',
  ),
  ownerTaxId: nullable.text('CPF or CNPJ of its owner; null when the company did not give it.'),
  selfCustody: nullable.flag('Whether its owner holds the keys; null when the company did not give it.'),
  createdAt: time('Time at which it was added.'),
  usableAt: time('Time from which it may be used.'),
}) {}

@ArgsType()
class AddAddressArgs extends args({
  ...ofMode,
  network: text('The network.', { maxLength: 40 }),
  address: text('The address.', { maxLength: 200 }),
  label: text('Label for the address, 1 to 100 characters.', { maxLength: 200 }),
  ownerName: nullable.text('Name of its owner, 1 to 200 characters; the company itself when omitted.', {
    maxLength: 400,
  }),
  ownerTaxId: nullable.text('CPF or CNPJ of its owner, without punctuation.', { maxLength: 20 }),
  selfCustody: nullable.flag('Whether its owner holds the keys of the address.'),
}) {}

@ArgsType()
class OwnAddressArgs extends args({
  ...ofMode,
  id: id('Id (UUID).'),
}) {}

/** Real and synthetic withdrawals share one list. */
@Resolver()
export class AllowListResolver {
  constructor(private readonly coolingMs: number) {}

  @Access('trader', 'read')
  @Directive('@listSize(assumedSize: 100)')
  @Query(() => [WithdrawalAddress], {
    description:
      'The addresses to which the calling company may withdraw if an operator requires a list, newest first, at most 1000; the list applies to real and synthetic withdrawals. Errors: 401 CAAS_AUTH_001; 403 without the scope `read`.',
  })
  withdrawalAddresses(
    @Ctx() context: Context,
    // Read by `requireSynthetic` in the sandbox only; declared here so that the schema contains it.
    @Args(() => ModeArgs) _mode: ModeArgs,
  ): Promise<Shape<WithdrawalAddress>[]> {
    return listAllowedAddresses(context, context.principal.ownerId);
  }

  @Access('trader', 'withdraw')
  @StepUp()
  @Mutation(() => WithdrawalAddress, {
    description:
      'Adds an address to the list; it may be used after the cooling period, and says whose it is, so that a withdrawal to it needs no data for the travel rule. Repeating the call changes nothing. Errors: 400; 401 CAAS_AUTH_001; 403 without the scope `withdraw`; 409 for a list of 1000 addresses; 422 for an invalid address or tax id, an address from which nothing comes back, and a deposit address of the platform.',
  })
  addWithdrawalAddress(
    @Ctx() context: Context,
    @Args(() => AddAddressArgs) { network, address, label, ownerName, ownerTaxId, selfCustody }: AddAddressArgs,
  ): Promise<Shape<WithdrawalAddress>> {
    return addAllowedAddress(context, this.coolingMs, { network, address, label, ownerName, ownerTaxId, selfCustody });
  }

  @Access('trader', 'withdraw')
  @StepUp()
  @Mutation(() => Boolean, {
    description: 'Removes an address from the list. Errors: 401 CAAS_AUTH_001; 403 without the scope `withdraw`; 404.',
  })
  async removeWithdrawalAddress(
    @Ctx() context: Context,
    @Args(() => OwnAddressArgs) { id }: OwnAddressArgs,
  ): Promise<boolean> {
    await removeAllowedAddress(context, id);
    return true;
  }

  @Access('operator', 'trade')
  @StepUp()
  @Mutation(() => Boolean, {
    description:
      'Sets whether a company may withdraw only to addresses of its list. Returns the setting. Errors: 401 and 403 without the role `trade`; 404.',
  })
  async requireWithdrawalList(
    @Ctx() context: Context,
    @Arg('companyId', () => ID, { description: 'Id of the company (UUID).' }) companyId: string,
    @Arg('required', () => Boolean, { description: 'Whether only addresses of the list are allowed.' })
    required: boolean,
  ): Promise<boolean> {
    await requireAllowList(context, companyId, required);
    return required;
  }
}
