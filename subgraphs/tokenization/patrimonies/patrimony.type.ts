import { Directive, ObjectType } from 'type-graphql';
import type { PatrimonyStatus } from './patrimony.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { fields, id, of, text, time } from '../../../shared/graphql/fields.js';

// The resolvers of series, assets and totals add what belongs to an estate.
@ObjectType({
  simpleResolvers: true,
  description: 'An estate (patrimônio), which separates the assets and liabilities of one securitization.',
})
@Directive('@key(fields: "id")')
@Directive('@key(fields: "ticker")')
export class Patrimony extends fields({
  id: id('Id (UUID)'),
  ticker: text('Ticker, unique without regard to case'),
  name: text('Name'),
  slug: text('Slug, the other name of the estate; unique without regard to case'),
  status: of(() => PatrimonyStatusEnum, 'DRAFT: being set up. ACTIVE: in force. CLOSED: ended'),
  createdAt: time('Time of registration'),
}) {}

const PatrimonyStatusEnum = describeEnum<PatrimonyStatus>(
  'PatrimonyStatus',
  'Status of an estate.',
  {
    DRAFT: 'Being set up',
    ACTIVE: 'In force',
    CLOSED: 'Ended: everything in it is settled',
  },
  { DRAFT: ['Em estruturação', 'Draft'], ACTIVE: ['Ativo', 'Active'], CLOSED: ['Encerrado', 'Closed'] },
);
