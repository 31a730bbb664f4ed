#pragma once
#include <opus.h>

// opus_encoder_ctl takes its arguments as C does for printf, which Swift cannot call.
static inline int fascia_opus_set_bitrate(OpusEncoder *encoder, opus_int32 bits) { return opus_encoder_ctl(encoder, OPUS_SET_BITRATE(bits)); }
static inline int fascia_opus_set_inband_fec(OpusEncoder *encoder, int on) { return opus_encoder_ctl(encoder, OPUS_SET_INBAND_FEC(on)); }
static inline int fascia_opus_set_packet_loss(OpusEncoder *encoder, int percent) { return opus_encoder_ctl(encoder, OPUS_SET_PACKET_LOSS_PERC(percent)); }
static inline int fascia_opus_set_complexity(OpusEncoder *encoder, int complexity) { return opus_encoder_ctl(encoder, OPUS_SET_COMPLEXITY(complexity)); }
