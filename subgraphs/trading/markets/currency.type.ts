import 'reflect-metadata';
import { ObjectType } from 'type-graphql';
import { fields, flag, int, text } from '../../../shared/graphql/fields.js';

@ObjectType({ description: 'A currency in which funds are held: fiat or a crypto-asset.' })
export class Currency extends fields({
  code: text('Code as exchanges use it: `BRL`, `BTC`.'),
  decimals: int('Number of decimals of its amounts. Amounts with more decimals are rejected.'),
  fiat: flag('Whether it is a fiat currency.'),
}) {}
