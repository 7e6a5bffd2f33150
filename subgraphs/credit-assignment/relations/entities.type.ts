import 'reflect-metadata';
import { Directive, ObjectType } from 'type-graphql';
import { fields, id } from '../../../shared/graphql/fields.js';

/** An estate as this subgraph contributes to it: its id. The rest of the entity belongs to tokenization. */
@Directive('@key(fields: "id")')
@ObjectType({
  simpleResolvers: true,
  description: 'An estate (patrimônio), which separates the assets and liabilities of one securitization.',
})
export class Patrimony extends fields({
  id: id('Id (UUID)'),
}) {}

/** This subgraph's part of an asset: its id, which is its receivable's id. The rest belongs to tokenization. */
@Directive('@key(fields: "id")')
@ObjectType({ simpleResolvers: true, description: 'A credit right that backs the series of an estate.' })
export class Asset extends fields({
  id: id('Id (UUID)'),
}) {}
