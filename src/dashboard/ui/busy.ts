// What a button sets off: shown while it runs, and reported in a toast if it fails.
import { useState } from 'react'
import { toastError } from './toast'

/** Runs one thing; `busy` is for the button. */
export function useBusy(): [busy: boolean, run: (work: () => Promise<unknown>) => Promise<void>] {
  const [busy, setBusy] = useState(false)
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      toastError(error)
    } finally {
      setBusy(false)
    }
  }
  return [busy, run]
}
