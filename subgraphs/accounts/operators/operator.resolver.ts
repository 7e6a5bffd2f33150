import { Arg, Ctx, Directive, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import type { MailDesk } from '../accounts/mail-desk.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import {
  addOperatorKey,
  changeOperatorRoles,
  fetchOperatorKey,
  revokeOperatorKey,
  revokeOperator,
} from './operators.acts.js';
import { addOperator, type AddedOperator } from './add-operator.js';
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

const whoText = 'Id or e-mail of the operator.';
const daysText = `Number of days for which the key is valid, 1 to ${keyDays.most}.`;

@Resolver(() => Operator)
export class OperatorResolver {
  /** @param forgetKey drops a key from the cache, so that it is read again */
  constructor(
    private readonly forgetKey: (prefix: string) => void,
    private readonly desk: MailDesk,
  ) {}

  @Access('operator', 'administer')
  @Directive('@listSize(assumedSize: 100)')
  @Query(() => [Operator], {
    description: 'The operators: those that are not revoked first, then by age, newest first; at most 500.',
  })
  async operators(@Ctx() context: Context): Promise<OperatorShape[]> {
    return (await listOperators(context)).map(toOperator);
  }

  @Access('operator', 'administer')
  @Directive('@listSize(assumedSize: 10)')
  @FieldResolver(() => [OperatorKey], {
    description: 'Keys of the operator: those that are not revoked first, then by age, newest first; at most 50.',
  })
  async keys(@Root() { id }: OperatorShape, @Ctx() context: Context): Promise<Shape<OperatorKey>[]> {
    return (await loaderOf(context, keysOfOperators).load(id)).map(toOperatorKey);
  }

  @Access('operator', 'administer')
  @StepUp()
  @Mutation(() => CreatedOperatorKey, {
    description:
      'Adds an operator with a first key, which the operator fetches by a link in mail within 24 hours. Errors: 400 for an invalid e-mail, name, role or number of days; 409 when an operator who is not revoked has the e-mail.',
  })
  async addOperator(
    @Ctx() context: Context,
    @Arg('email', () => String, { description: 'E-mail of the person.' }) email: string,
    @Arg('name', () => String, { description: 'Name of the person, 1 to 200 characters.' }) name: string,
    @Arg('roles', () => [String], { description: rolesText }) roles: string[],
    @Arg('days', () => Int, { defaultValue: keyDays.usual, description: daysText }) days: number,
  ): Promise<Shape<CreatedOperatorKey>> {
    return created(await addOperator(context, this.desk, { email, name, roles, days }));
  }

  @Access('operator', 'administer')
  @StepUp()
  @Mutation(() => Operator, {
    description:
      'Revokes an operator with all keys permanently: within 1 second they are rejected on every instance. Repeating the call changes nothing. Errors: 404.',
  })
  async revokeOperator(
    @Ctx() context: Context,
    @Arg('operator', () => String, { description: whoText }) operator: string,
  ): Promise<OperatorShape> {
    return toOperator(await revokeOperator(context, this.forgetKey, operator));
  }

  @Access('operator', 'administer')
  @StepUp()
  @Mutation(() => Operator, {
    description:
      'Replaces the roles of an operator; the new ones apply on every instance within 1 second. Errors: 400 for invalid roles; 403 for the caller’s own roles; 404; 409 for a revoked operator.',
  })
  async changeOperatorRoles(
    @Ctx() context: Context,
    @Arg('operator', () => String, { description: whoText }) operator: string,
    @Arg('roles', () => [String], { description: rolesText }) roles: string[],
  ): Promise<OperatorShape> {
    return toOperator(await changeOperatorRoles(context, this.forgetKey, operator, roles));
  }

  @Access('operator', 'administer')
  @StepUp()
  @Mutation(() => CreatedOperatorKey, {
    description:
      'Adds a key to an operator, so that keys can be rotated without interruption, and mails the operator. Only the caller’s own key is in the response: another operator fetches it by a link in the mail within 24 hours. Errors: 400 for an invalid number of days; 404; 409 for a revoked operator, and for one with five valid keys.',
  })
  async addOperatorKey(
    @Ctx() context: Context,
    @Arg('operator', () => String, { description: whoText }) operator: string,
    @Arg('days', () => Int, { defaultValue: keyDays.usual, description: daysText }) days: number,
  ): Promise<Shape<CreatedOperatorKey>> {
    return created(await addOperatorKey(context, this.desk, operator, days));
  }

  @Access('anyone')
  @Mutation(() => String, {
    description:
      'Returns the complete key that the link in a mail leads to, once, and makes it valid. Errors: 422 for a link that is unknown, used or expired, or whose key was revoked.',
  })
  async fetchOperatorKey(
    @Ctx() context: Context,
    @Arg('token', () => String, { description: 'Token of the link.' }) token: string,
  ): Promise<string> {
    return fetchOperatorKey(context, this.forgetKey, token);
  }

  @Access('operator', 'administer')
  @StepUp()
  @Mutation(() => Boolean, {
    description:
      'Revokes one key of an operator permanently: within 1 second it is rejected on every instance. Returns true, also for a key that was already revoked. Errors: 404.',
  })
  async revokeOperatorKey(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the key.' }) id: string,
  ): Promise<boolean> {
    await revokeOperatorKey(context, this.forgetKey, id);
    return true;
  }
}

function created({ operator, key: { id, key, expiresAt, linkExpiresAt } }: AddedOperator): Shape<CreatedOperatorKey> {
  return { id, key, expiresAt, linkExpiresAt, operator: toOperator(operator) };
}
