import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { loaderOf, type Context } from '../../../shared/context.js';
import { Access } from '../../../shared/subgraph/access.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { addOperatorKey } from './add-operator-key.js';
import { addOperator, type AddedOperator } from './add-operator.js';
import { changeOperatorRoles } from './change-operator-roles.js';
import { keyDays } from './operator.js';
import { keysOfOperators, listOperators } from './operator.store.js';
import {
  CreatedOperatorKey,
  Operator,
  OperatorKey,
  rolesText,
  toOperator,
  toOperatorKey,
  type OperatorShape,
} from './operator.type.js';
import { revokeOperatorKey } from './revoke-operator-key.js';
import { revokeOperator } from './revoke-operator.js';

const whoText = 'Id or e-mail of the operator.';
const daysText = `For how many days the key works, 1 to ${keyDays.most}.`;

@Resolver(() => Operator)
export class OperatorResolver {
  /** @param forgetKey drops a key from the cache, so that it is read again */
  constructor(private readonly forgetKey: (prefix: string) => void) {}

  @Access('operator', 'administer')
  @Query(() => [Operator], {
    description: 'The operators: those that are not revoked first, then the newest; at most 500.',
  })
  async operators(@Ctx() context: Context): Promise<OperatorShape[]> {
    return (await listOperators(context)).map(toOperator);
  }

  @Access('operator', 'administer')
  @FieldResolver(() => [OperatorKey], {
    description: 'The keys: those that are not revoked first, then the newest; at most 50.',
  })
  async keys(@Root() { id }: OperatorShape, @Ctx() context: Context): Promise<Shape<OperatorKey>[]> {
    return (await loaderOf(context, keysOfOperators).load(id)).map(toOperatorKey);
  }

  @Access('operator', 'administer')
  @Mutation(() => CreatedOperatorKey, {
    description:
      'Adds an operator with a first key. Errors: 400 for an e-mail, a name, roles or days that are none; 409 where an operator who is not revoked has the e-mail.',
  })
  async addOperator(
    @Ctx() context: Context,
    @Arg('email', () => String, { description: 'E-mail of the person.' }) email: string,
    @Arg('name', () => String, { description: 'Name of the person, 1 to 200 characters.' }) name: string,
    @Arg('roles', () => [String], { description: rolesText }) roles: string[],
    @Arg('days', () => Int, { defaultValue: keyDays.usual, description: daysText }) days: number,
  ): Promise<Shape<CreatedOperatorKey>> {
    return created(await addOperator(context, { email, name, roles, days }));
  }

  @Access('operator', 'administer')
  @Mutation(() => Operator, {
    description:
      'Revokes an operator with all keys, for good: within 1 second they are refused everywhere. Doing it again changes nothing. Errors: 404.',
  })
  async revokeOperator(
    @Ctx() context: Context,
    @Arg('operator', () => String, { description: whoText }) operator: string,
  ): Promise<OperatorShape> {
    return toOperator(await revokeOperator(context, this.forgetKey, operator));
  }

  @Access('operator', 'administer')
  @Mutation(() => Operator, {
    description:
      'Gives an operator roles in place of those that it has; they hold everywhere within 1 second. Errors: 400 for roles that are none; 404; 409 for an operator who is revoked.',
  })
  async changeOperatorRoles(
    @Ctx() context: Context,
    @Arg('operator', () => String, { description: whoText }) operator: string,
    @Arg('roles', () => [String], { description: rolesText }) roles: string[],
  ): Promise<OperatorShape> {
    return toOperator(await changeOperatorRoles(context, this.forgetKey, operator, roles));
  }

  @Access('operator', 'administer')
  @Mutation(() => CreatedOperatorKey, {
    description:
      'Gives an operator a further key, so that one can be replaced without a gap. Errors: 400 for days that are none; 404; 409 for an operator who is revoked, or has five keys that work.',
  })
  async addOperatorKey(
    @Ctx() context: Context,
    @Arg('operator', () => String, { description: whoText }) operator: string,
    @Arg('days', () => Int, { defaultValue: keyDays.usual, description: daysText }) days: number,
  ): Promise<Shape<CreatedOperatorKey>> {
    return created(await addOperatorKey(context, operator, days));
  }

  @Access('operator', 'administer')
  @Mutation(() => Boolean, {
    description:
      'Revokes one key of an operator, for good: within 1 second it is refused everywhere. Returns true, again when it was revoked before. Errors: 404.',
  })
  async revokeOperatorKey(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the key.' }) id: string,
  ): Promise<boolean> {
    await revokeOperatorKey(context, this.forgetKey, id);
    return true;
  }
}

function created({ operator, key: { id, key, expiresAt } }: AddedOperator): Shape<CreatedOperatorKey> {
  return { id, key, expiresAt, operator: toOperator(operator) };
}
