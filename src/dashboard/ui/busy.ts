// What a button sets off: shown while it runs, and reported if it fails, in a toast or where the button is.
import { useState } from 'react'
import { toastError } from './toast'

type Work = () => Promise<unknown>

/** Runs one thing; `busy` is for the button. */
export function useBusy(): [busy: boolean, run: (work: Work) => Promise<void>] {
  const { busy, run } = useAttempt(toastError)
  return [busy, run]
}

/** The same, with the error to be shown in the page. */
export function useAttempt(onError?: (error: unknown) => void) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const run = async (work: Work): Promise<void> => {
    setBusy(true)
    setError(undefined)
    try {
      await work()
    } catch (problem) {
      if (onError) onError(problem)
      else setError(problem)
    } finally {
      setBusy(false)
    }
  }
  return { busy, error, run, clear: () => setError(undefined) }
}
