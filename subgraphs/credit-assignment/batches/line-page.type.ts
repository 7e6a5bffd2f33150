import { ArgsType } from 'type-graphql';
import { connectionArgs } from '../../../shared/subgraph/page-args.js';
import { linePage } from './read-lines.js';

/** The page of the lines of a batch: all of them, where a caller asks for as many. */
@ArgsType()
export class LinePageArgs extends connectionArgs(linePage) {}
