// Turning a workflow on and off. Warnings are shown before it is on.
import { useState } from 'react'
import { ForSenders } from '../../app/rights'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { Actions, Dialog } from '../../ui/dialog'
import { ErrorNote } from '../../ui/error-note'
import { toast, toastError } from '../../ui/toast'
import type { WorkflowWarning } from './data'

interface SwitchProps {
  enabled: boolean
  /** Contacts that are in it. */
  running: number
  /** Stores what is shown, and returns the warnings about turning it on; undefined if storing is refused. */
  onCheck: () => Promise<readonly WorkflowWarning[] | undefined>
  onSwitch: (on: boolean) => Promise<void>
}

export function Switch({ enabled, running, onCheck, onSwitch }: SwitchProps) {
  const [busy, setBusy] = useState(false)
  const [warnings, setWarnings] = useState<readonly WorkflowWarning[]>()
  const [error, setError] = useState<unknown>()
  const act = async (on: boolean): Promise<void> => {
    setBusy(true)
    try {
      await onSwitch(on)
      setWarnings(undefined)
      toast(on ? t.workflows.turnedOn : t.workflows.turnedOff(running))
    } catch (problem) {
      if (warnings) setError(problem)
      else toastError(problem)
    } finally {
      setBusy(false)
    }
  }
  const check = async (): Promise<void> => {
    setBusy(true)
    setError(undefined)
    try {
      const found = await onCheck()
      if (found?.length === 0) await act(true)
      else setWarnings(found)
    } catch (problem) {
      toastError(problem)
    } finally {
      setBusy(false)
    }
  }
  const label = enabled ? t.words.turnOff : t.words.turnOn
  const variant = enabled ? 'plain' : 'strong'
  return (
    <>
      <ForSenders when={!enabled} label={label} variant="strong">
        <Button variant={variant} busy={busy && !warnings} onClick={() => (enabled ? act(false) : check())}>
          {label}
        </Button>
      </ForSenders>
      <Dialog
        open={warnings !== undefined}
        onClose={() => setWarnings(undefined)}
        title={t.workflows.warningsTitle}
        description={t.workflows.warningsHint}
      >
        <ul className="list-disc space-y-1.5 pl-5 wrap-anywhere">
          {warnings?.map(({ message }) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
        {error !== undefined && <ErrorNote error={error} takesFocus />}
        <Actions>
          <Button onClick={() => setWarnings(undefined)}>{t.workflows.mendFirst}</Button>
          <Button variant="strong" busy={busy} onClick={() => act(true)}>
            {t.workflows.turnOnAnyway}
          </Button>
        </Actions>
      </Dialog>
    </>
  )
}
