// Spanish.
import type { Locale } from '../locale'

export const es: Locale = {
  footer: {
    text: 'Ha recibido este correo porque aceptó recibir correos de {projectName}.',
    link: 'Darse de baja',
  },
}
