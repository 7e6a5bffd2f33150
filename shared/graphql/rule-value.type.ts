import 'reflect-metadata';
import { Directive, ObjectType } from 'type-graphql';
import { fields, text } from './fields.js';

/** A value of a rule, in the graph; shares the type name of the values of `InputError` (`forms.ts`). */
@ObjectType('InputErrorValue', { simpleResolvers: true, description: 'A value that the text of a rule names.' })
@Directive('@shareable')
export class InputErrorValue extends fields({
  name: text('Name of the value, such as `max`'),
  value: text('The value: a number in decimal form, a moment in RFC 3339, or a text'),
}) {}
