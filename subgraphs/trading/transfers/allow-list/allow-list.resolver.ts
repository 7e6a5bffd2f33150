import { Arg, Args, ArgsType, Ctx, Field, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../shared/context.js';
import { Access } from '../../../../shared/subgraph/access.js';
import { AtMost } from '../../../../shared/subgraph/constraint.js';
import { DateTimeScalar } from '../../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../../shared/subgraph/shape.js';
import { ModeArgs } from '../../profiles/wallet-args.js';
import { addAllowedAddress, removeAllowedAddress } from './allow-list.js';
import { listAllowedAddresses, type AllowedAddressRow } from './allow-list.store.js';
import { requireAllowList } from './require-allow-list.js';

@ObjectType({ simpleResolvers: true, description: 'An address that a company may withdraw to.' })
export class WithdrawalAddress {
  @Field(() => ID, { description: 'Id (UUID).' })
  id!: string;

  @Field(() => String, { description: 'The network.' })
  network!: string;

  @Field(() => String, { description: 'The address, in its canonical form.' })
  address!: string;

  @Field(() => String, { description: 'What the company calls it.' })
  label!: string;

  @Field(() => DateTimeScalar, { description: 'When it was added.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: 'From when on it may be used.' })
  usableAt!: Date;
}

const toWithdrawalAddress = (row: AllowedAddressRow): Shape<WithdrawalAddress> => row;

@ArgsType()
class AddAddressArgs extends ModeArgs {
  @AtMost({ maxLength: 40 })
  @Field(() => String, { description: 'The network.' })
  network!: string;

  @AtMost({ maxLength: 200 })
  @Field(() => String, { description: 'The address.' })
  address!: string;

  @AtMost({ maxLength: 200 })
  @Field(() => String, { description: 'What to call it, 1 to 100 characters.' })
  label!: string;
}

@ArgsType()
class OwnAddressArgs extends ModeArgs {
  @Field(() => ID, { description: 'Its id (UUID).' })
  id!: string;
}

/** Real and synthetic withdrawals share one list. */
@Resolver()
export class AllowListResolver {
  /** @param coolingMs how long a new address waits before it may be used */
  constructor(private readonly coolingMs: number) {}

  @Access('trader', 'read')
  @Query(() => [WithdrawalAddress], {
    description:
      'The addresses that the calling company may withdraw to where the operator demands a list, the newest first, at most 1000: one list for real and synthetic withdrawals. Errors: 401 CAAS_AUTH_001; 403 without the scope `read`.',
  })
  async withdrawalAddresses(
    @Ctx() context: Context,
    // Read by `requireSynthetic` in the sandbox only; declared here so that the schema contains it.
    // eslint-disable-next-line @typescript-eslint/no-unused-vars
    @Args(() => ModeArgs) _mode: ModeArgs,
  ): Promise<Shape<WithdrawalAddress>[]> {
    return (await listAllowedAddresses(context, context.principal.ownerId)).map(toWithdrawalAddress);
  }

  @Access('trader', 'withdraw')
  @Mutation(() => WithdrawalAddress, {
    description:
      'Adds an address to the list; it may be used once the cooling period is over. Adding it again changes nothing. Errors: 400; 401 CAAS_AUTH_001; 403 without the scope `withdraw`; 409 for a list of 1000; 422 for a wrong address.',
  })
  async addWithdrawalAddress(
    @Ctx() context: Context,
    @Args(() => AddAddressArgs) { network, address, label }: AddAddressArgs,
  ): Promise<Shape<WithdrawalAddress>> {
    return toWithdrawalAddress(await addAllowedAddress(context, this.coolingMs, { network, address, label }));
  }

  @Access('trader', 'withdraw')
  @Mutation(() => Boolean, {
    description: 'Takes an address off the list. Errors: 401 CAAS_AUTH_001; 403 without the scope `withdraw`; 404.',
  })
  async removeWithdrawalAddress(
    @Ctx() context: Context,
    @Args(() => OwnAddressArgs) { id }: OwnAddressArgs,
  ): Promise<boolean> {
    await removeAllowedAddress(context, id);
    return true;
  }

  @Access('operator', 'trade')
  @Mutation(() => Boolean, {
    description:
      'Makes a company withdraw to addresses of its list alone, or to any. Returns whether it has to. Errors: 401 and 403 without the role `trade`; 404.',
  })
  async requireWithdrawalList(
    @Ctx() context: Context,
    @Arg('companyId', () => ID, { description: 'Id of the company (UUID).' }) companyId: string,
    @Arg('required', () => Boolean, { description: 'Whether it has to.' }) required: boolean,
  ): Promise<boolean> {
    await requireAllowList(context, companyId, required);
    return required;
  }
}
