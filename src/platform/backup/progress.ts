// How far a backup or restore has got: one line that is overwritten on a terminal, nothing elsewhere.

export interface BackupProgress {
  /** About how many rows there are in all. */
  expect(rows: number): void
  show(table: string, rows: number, bytes: number): void
  done(table: string, rows: number): void
  /** Removes the line. */
  clear(): void
}

const everyMs = 200

/** `write` gets text for the terminal; without it nothing is shown. */
export function makeProgress(verb: string, write?: (text: string) => void): BackupProgress {
  const startedAt = performance.now()
  let expected = 0
  let before = 0
  let shownAt = Number.NEGATIVE_INFINITY
  return {
    expect(rows) {
      expected = rows
    },
    show(table, rows, bytes) {
      const now = performance.now()
      if (!write || now - shownAt < everyMs) return
      shownAt = now
      const all = before + rows
      const share = expected > 0 ? `, ${Math.min(99, Math.floor((all / expected) * 100))} %` : ''
      const seconds = Math.round((now - startedAt) / 1_000)
      const line = `${verb} ${table}: ${all.toLocaleString('en')} rows${share}, ${(bytes / 1e6).toFixed(1)} MB, ${seconds} s`
      write(`\r\u001b[K${line}`)
    },
    done(_table, rows) {
      before += rows
    },
    clear: () => write?.('\r\u001b[K'),
  }
}
