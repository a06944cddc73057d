// Setting up a second factor: the password, the secret for an authenticator with its first code, the recovery codes.
import { lazy, Suspense, useState } from 'react'
import { answer, api, type Schemas } from '../../api/client'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { CopyValue } from '../../ui/copy'
import { Dialog } from '../../ui/dialog'
import { TextField } from '../../ui/field'
import { Form, type Values } from '../../ui/form'
import { DialogButtons } from '../../ui/form-dialog'
import { CurrentPassword } from './current-password'
import { RecoveryCodes } from './recovery-codes'

const QrCode = lazy(() => import('../../ui/qr-code'))

type Enrolment = Schemas['Enrolment']

export function Enrol({ onDone }: { onDone: () => Promise<void> }) {
  const [open, setOpen] = useState(false)
  const [enrolment, setEnrolment] = useState<Enrolment>()
  const [codes, setCodes] = useState<string[]>()
  const close = (): void => {
    setOpen(false)
    setEnrolment(undefined)
  }
  const confirmed = (told: string[]): void => {
    close()
    setCodes(told)
  }
  const kept = async (): Promise<void> => {
    setCodes(undefined)
    await onDone()
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t.secondFactor.setUp}</Button>
      <Dialog
        open={open}
        onClose={close}
        title={t.secondFactor.setUp}
        description={enrolment ? t.secondFactor.scanHint : t.secondFactor.passwordHint}
      >
        {enrolment ? (
          <Confirm enrolment={enrolment} onConfirmed={confirmed} onClose={close} />
        ) : (
          <Begin onBegun={setEnrolment} onClose={close} />
        )}
      </Dialog>
      <RecoveryCodes codes={codes} onClose={kept} />
    </>
  )
}

function Begin({ onBegun, onClose }: { onBegun: (enrolment: Enrolment) => void; onClose: () => void }) {
  const begin = async ({ password = '' }: Values): Promise<void> =>
    onBegun(await answer(api.POST('/users/@me/second-factor', { body: { password } })))
  return (
    <Form onSubmit={begin}>
      <CurrentPassword />
      <DialogButtons onCancel={onClose}>{t.secondFactor.goOn}</DialogButtons>
    </Form>
  )
}

interface ConfirmProps {
  enrolment: Enrolment
  onConfirmed: (codes: string[]) => void
  onClose: () => void
}

function Confirm({ enrolment: { secret, uri }, onConfirmed, onClose }: ConfirmProps) {
  const confirm = async ({ code = '' }: Values): Promise<void> =>
    onConfirmed(
      (await answer(api.POST('/users/@me/second-factor/confirm', { body: { code } }))).recoveryCodes,
    )
  return (
    <Form onSubmit={confirm}>
      <div className="flex flex-wrap items-center gap-4">
        <Suspense fallback={<div className="size-48" />}>
          <QrCode text={uri} label={t.secondFactor.qr} />
        </Suspense>
        <div className="min-w-0 flex-1 basis-48 space-y-1.5">
          <p className="text-quiet">{t.secondFactor.typeHint}</p>
          <CopyValue value={secret} />
        </div>
      </div>
      <TextField
        name="code"
        label={t.secondFactor.firstCode}
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={10}
        required
        autoFocus
      />
      <DialogButtons onCancel={onClose}>{t.words.turnOn}</DialogButtons>
    </Form>
  )
}
