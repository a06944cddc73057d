// The form of a backup file: a header that a person can read (two lines of text), then frames, then a trailer that counts them and
// seals the whole with a digest. Nothing in it depends on the version of PostgreSQL: rows are COPY's text, compressed in pieces.
//
//   WAXWING BACKUP 1
//   {"program":"…","madeAt":"…","migrations":[…],"tables":[…],…}
//   frame*   kind (1 byte), length of the content and length as stored (4 bytes each, big endian), content
//
// A table is `table`, `rows`*, `tableEnd`; a file of the data directory is `file`, `rows`*, `fileEnd`; `trailer` is the last frame.

import type { SecretMarks } from '../secrets'

export const magic = 'WAXWING BACKUP 1\n'

/** Anything longer is not a header. */
export const maxHeaderLength = 4 * 1024 ** 2
/** A frame holds whole rows, and PostgreSQL permits 1 GB for one. */
export const maxFrameLength = 1024 ** 3
/** Rows are gathered up to this size before they are compressed. */
export const blockBytes = 1024 ** 2

export const frameKinds = {
  secrets: 0x53,
  table: 0x54,
  rows: 0x44,
  tableEnd: 0x45,
  file: 0x46,
  fileEnd: 0x47,
  sequences: 0x51,
  trailer: 0x5a,
} as const

export type FrameKind = keyof typeof frameKinds

export const frameHeadBytes = 9

export interface RecordedMigration {
  tag: string
  hash: string
}

export interface TableShape {
  name: string
  columns: string[]
}

export interface BackupHeader {
  /** Version of Waxwing that wrote the file. */
  program: string
  madeAt: string
  /** Full version of the database server. */
  server: string
  migrations: RecordedMigration[]
  tables: TableShape[]
  /** Shows which pair of JWT_SECRET and ENCRYPTION_KEY belongs to the data, without revealing it; null before the first start. */
  secretMarks: SecretMarks | null
  /** Whether the secrets themselves are in the file. */
  withSecrets: boolean
}

export interface TableSum {
  rows: number
  /** Sum of the hashes of all rows, which does not depend on their order. */
  checksum: string
  /** Plain size of the rows. */
  bytes: number
}

export interface FileSum {
  bytes: number
  sha256: string
}

export interface SequenceValue {
  name: string
  value: string
  isCalled: boolean
}

export interface BackupTrailer {
  tables: Record<string, TableSum>
  files: number
  /** Of every byte before this frame's own. */
  sha256: string
}

/** The file is not a backup, not whole, or was changed. */
export class BackupFault extends Error {}

export function frameHead(kind: FrameKind, contentLength: number, storedLength: number): Uint8Array {
  const head = new Uint8Array(frameHeadBytes)
  const view = new DataView(head.buffer)
  head[0] = frameKinds[kind]
  view.setUint32(1, contentLength)
  view.setUint32(5, storedLength)
  return head
}

const kindsByCode = new Map(
  Object.entries(frameKinds).map(([kind, code]) => [code as number, kind as FrameKind]),
)

export function readFrameHead(head: Uint8Array): {
  kind: FrameKind
  contentLength: number
  storedLength: number
} {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const kind = kindsByCode.get(head[0]!)
  const [contentLength, storedLength] = [view.getUint32(1), view.getUint32(5)]
  if (!kind || contentLength > maxFrameLength || storedLength > maxFrameLength)
    throw new BackupFault('the backup is damaged: what follows is no frame')
  return { kind, contentLength, storedLength }
}
