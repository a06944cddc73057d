// The logo: an uploaded image, and how wide emails show it.
import { ImageUp, Trash2 } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { uploadImage } from '../../editor/upload-image'
import { t } from '../../texts'
import { useAttempt } from '../../ui/busy'
import { Button } from '../../ui/button'
import { ErrorNote } from '../../ui/error-note'
import { TextField } from '../../ui/field'
import { useFault } from '../../ui/form'
import type { BrandFieldsProps } from './brand-fields'

/** Without WebP, which several email clients don't show. */
const types = ['image/png', 'image/jpeg', 'image/gif']
/** Twice the usual width, for screens with small pixels. */
const sharp = 400

export function LogoField({ value, onChange }: BrandFieldsProps) {
  const id = useId()
  const chooser = useRef<HTMLInputElement>(null)
  const { busy, error, run } = useAttempt()
  const [isSmall, setSmall] = useState(false)
  const fault = useFault('logo')
  const { logo, logoWidth } = value
  const take = (file: File): Promise<unknown> =>
    run(async () => {
      if (!types.includes(file.type)) throw new Error(t.brand.logoType)
      onChange({ ...value, logo: await uploadImage(file) })
    })
  return (
    <>
      {logo && (
        <div
          className="flex min-h-20 items-center justify-center rounded-md border border-line p-4"
          style={{ background: value.paperColor }}
        >
          <img
            src={logo}
            alt={t.brand.names.logo}
            className="h-auto max-w-full"
            style={{ width: logoWidth }}
            onLoad={event => setSmall(event.currentTarget.naturalWidth < Math.min(sharp, 2 * logoWidth))}
          />
        </div>
      )}
      <input
        ref={chooser}
        id={id}
        type="file"
        accept={types.join(',')}
        aria-label={t.brand.names.logo}
        className="hidden"
        onChange={event => {
          const file = event.target.files?.[0]
          if (file) void take(file)
          event.target.value = ''
        }}
      />
      <div className="flex flex-wrap gap-2">
        <Button busy={busy} onClick={() => chooser.current?.click()}>
          <ImageUp aria-hidden /> {logo ? t.brand.replaceLogo : t.brand.uploadLogo}
        </Button>
        {logo && (
          <Button variant="quiet" onClick={() => onChange({ ...value, logo: null })}>
            <Trash2 aria-hidden /> {t.brand.removeLogo}
          </Button>
        )}
      </div>
      {error !== undefined && <ErrorNote error={error} />}
      {fault && <p className="text-bad">{fault}</p>}
      {!logo && <p className="text-quiet">{t.brand.logoHint}</p>}
      {logo && isSmall && <p className="text-warn">{t.brand.smallLogo(2 * logoWidth)}</p>}
      {logo && (
        <TextField
          name="logoWidth"
          type="number"
          label={t.brand.names.logoWidth}
          className="max-w-32"
          min={40}
          max={600}
          required
          value={logoWidth || ''}
          onChange={event => onChange({ ...value, logoWidth: event.target.valueAsNumber || 0 })}
        />
      )}
    </>
  )
}
