/// What is let near FFmpeg: kinds of files that are whole by themselves, and codings of sound. Nothing here refers to
/// another file, and no picture is ever decoded.
enum Kinds {
  static let files: StaticString = """
    aac,ac3,adx,aiff,amr,amrnb,amrwb,ape,apm,argo_asf,asf,ast,au,avi,avr,caf,codec2,dts,eac3,epaf,flac,flv,gsm,\
    iff,ircam,kvag,loas,matroska,matroska,webm,mlp,mov,mp3,mpeg,mpegts,mpc,mpc8,nistsphere,nut,oga,ogg,oma,pvf,rm,rso,\
    sds,smjpeg,sox,svx,truehd,tta,voc,vqf,w64,wav,wsaud,wv,wve,xa,xwma
    """

  static let codings: StaticString = """
    aac,aac_latm,ac3,adpcm_adx,adpcm_argo,g722,g726,g726le,adpcm_ima_apm,adpcm_ima_qt,adpcm_ima_ssi,adpcm_ima_wav,\
    adpcm_ima_ws,adpcm_ms,adpcm_swf,adpcm_yamaha,adpcm_ima_oki,adpcm_sbpro_2,adpcm_sbpro_3,adpcm_sbpro_4,alac,als,\
    amrnb,amrwb,ape,atrac1,atrac3,atrac3plus,cook,dca,dsd_lsbf,dsd_lsbf_planar,dsd_msbf,dsd_msbf_planar,eac3,8svx_exp,\
    8svx_fib,flac,g723_1,g729,gsm,gsm_ms,libcodec2,mace3,mace6,mlp,mp1,mp1float,mp2,mp2float,mp3,mp3float,mpc7,\
    mpc8,nellymoser,opus,pcm_alaw,pcm_bluray,pcm_dvd,pcm_f16le,pcm_f24le,pcm_f32be,pcm_f32le,pcm_f64be,pcm_f64le,\
    pcm_mulaw,pcm_s16be,pcm_s16be_planar,pcm_s16le,pcm_s16le_planar,pcm_s24be,pcm_s24le,pcm_s24le_planar,pcm_s32be,\
    pcm_s32le,pcm_s32le_planar,pcm_s64be,pcm_s64le,pcm_s8,pcm_s8_planar,pcm_sga,pcm_u16be,pcm_u16le,pcm_u24be,\
    pcm_u24le,pcm_u32be,pcm_u32le,pcm_u8,pcm_vidc,qdm2,qcelp,qdmc,ra_144,ra_288,roq_dpcm,shorten,speex,tak,truehd,\
    truespeech,tta,twinvq,vorbis,wavpack,wmalossless,wmapro,wmav1,wmav2,wmavoice
    """
}
