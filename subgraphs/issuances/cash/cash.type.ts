import { Field, ID, ObjectType } from 'type-graphql';
import { DateScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';

@ObjectType({ simpleResolvers: true, description: 'A bank account of an operation.' })
export class OperationAccount {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => String, { description: 'Purpose of the account: Conta centralizadora, Fundo de reserva…' })
  purpose!: string;

  @Field(() => String, { description: 'Bank' })
  bank!: string;

  @Field(() => String, { nullable: true, description: 'Branch' })
  branch!: string | null;

  @Field(() => String, { nullable: true, description: 'Number' })
  accountNumber!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Balance' })
  balance!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Minimum balance that the deed requires' })
  minimumBalance!: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Day of the balance' })
  balanceDate!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'An investment that is permitted for the cash of an operation.' })
export class PermittedInvestment {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => String, { description: 'Kind of investment' })
  description!: string;

  @Field(() => String, { nullable: true, description: 'Institution' })
  institution!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Maximum share of the available cash, in percent' })
  limitPercent!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Invested amount' })
  investedAmount!: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Day of the invested amount' })
  positionDate!: string | null;
}
