// A picture with a play button on it: mail clients show no videos, but a picture that leads to one.

/** Drawn into the picture, because nothing can lie over a picture in a mail. */
export async function withPlayButton(file: File): Promise<File> {
  const picture = await createImageBitmap(file).catch(() => undefined)
  // The server says of it what is wrong.
  if (!picture) return file
  const width = Math.min(picture.width, 1200)
  const height = Math.round((picture.height * width) / picture.width)
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')!
  context.drawImage(picture, 0, 0, width, height)
  const radius = Math.min(width, height) / 7
  const [x, y] = [width / 2, height / 2]
  context.fillStyle = 'rgb(0 0 0 / 0.65)'
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  context.fill()
  context.fillStyle = '#ffffff'
  context.beginPath()
  context.moveTo(x - radius * 0.3, y - radius * 0.45)
  context.lineTo(x - radius * 0.3, y + radius * 0.45)
  context.lineTo(x + radius * 0.5, y)
  context.fill()
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 })
  return new File([blob], 'video.jpg', { type: blob.type })
}
