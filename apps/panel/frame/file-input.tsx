import { decimal } from './language.js';

/** The browser's own field for files, onto which they can be dropped. */
export function FileInput(props: {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly accept: string;
  readonly multiple?: boolean;
  readonly onChoose: (files: readonly File[]) => void;
}) {
  const { label, hint, onChoose, ...input } = props;
  return (
    <label className="field">
      <span>{label}</span>
      <input type="file" {...input} onChange={({ currentTarget }) => onChoose([...(currentTarget.files ?? [])])} />
      {hint === undefined ? null : <span className="small muted">{hint}</span>}
    </label>
  );
}

/** How much is done of what takes a while. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** How much of a file has been sent; then that the server works on it. */
export function UploadProgress(props: {
  readonly of: Progress | undefined;
  readonly label: string;
  readonly uploading: (done: string, total: string) => string;
  readonly checking: string;
}) {
  const { of, label, uploading, checking } = props;
  if (of === undefined) return null;
  const { done, total } = of;
  return (
    <p role="status">
      {done < total ? uploading(decimal(done), decimal(total)) : checking}{' '}
      {done < total ? <progress value={done} max={total} aria-label={label} /> : null}
    </p>
  );
}

/** Returns a file, compressed as it is sent. */
export async function packed(file: Blob): Promise<Blob> {
  return new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).blob();
}
