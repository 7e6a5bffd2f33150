import { maxDetails as maxTold, refuse, type ErrorDetail } from '../../../shared/kernel/errors.js';
import type { BrokenRule } from '../batches/broken-rule.js';

/** Columns of a line with fixed columns: from 1, both included. */
export interface Columns {
  readonly from: number;
  readonly to: number;
}

/** The place of a value in a file. A line without columns and field is meant as a whole. */
export interface FilePlace {
  /** From 1. */
  readonly line: number;
  readonly columns?: Columns | undefined;
  /** The field of the layout, or the column of a CSV file. */
  readonly field?: string | undefined;
}

export interface FileError extends FilePlace {
  readonly rule: BrokenRule;
}

/** Collects errors in bounded memory, in the order in which they are found: the first ones, and the count of all. */
export class FileErrors {
  count = 0;
  readonly first: FileError[] = [];

  constructor(private readonly most = maxTold) {}

  add(error: FileError): void {
    this.count += 1;
    if (this.first.length < this.most) this.first.push(error);
  }

  /** Counts errors of which nothing more is known. */
  addCount(count: number): void {
    this.count += count;
  }
}

/** Formats a place as callers read it: `line 17, columns 38-62`, or `line 17, column dueDate` in a CSV file. */
export function placeText({ line, columns, field }: FilePlace): string {
  if (columns !== undefined)
    return `line ${line}, ${columns.from === columns.to ? 'column' : 'columns'} ${span(columns)}`;
  return field === undefined ? `line ${line}` : `line ${line}, column ${field}`;
}

export function placeTextPt({ line, columns, field }: FilePlace): string {
  if (columns !== undefined)
    return `linha ${line}, ${columns.from === columns.to ? 'coluna' : 'colunas'} ${span(columns)}`;
  return field === undefined ? `linha ${line}` : `linha ${line}, coluna ${field}`;
}

function span({ from, to }: Columns): string {
  return from === to ? String(from) : `${from}-${to}`;
}

/** @throws {ApiError} BAD_REQUEST if the file has errors */
export function refuseFile({ first, count }: FileErrors): void {
  refuse('BAD_REQUEST', toDetails(first), count);
}

/** Converts errors of a layout to the form that every caller receives. */
export function toDetails(errors: readonly FileError[]): ErrorDetail[] {
  return errors.map(({ rule, ...place }) => ({
    path: placeText(place),
    message:
      place.columns === undefined || place.field === undefined ? rule.message : `${rule.message} (${place.field})`,
  }));
}
